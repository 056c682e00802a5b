import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { toChatItems, toChatMessages } from '../../../src/agent/model/chat.ts';
import type { ModelAnswer, Turn } from '../../../src/agent/model/model.ts';
import { fromResponse, toResponsesItems } from '../../../src/agent/model/responses.ts';
import { createAnswer, reordered } from '../memory-journal.ts';

const text = fc.string({ unit: 'binary', maxLength: 12 });
const inputs = fc.array(text, { maxLength: 3 });
const givenAnswer = fc.record({
  text,
  calls: fc.array(fc.tuple(text, fc.oneof(text, fc.json())), { maxLength: 3 }),
  source: fc.constantFrom('none', 'responses', 'chat'),
  reasoning: text,
});

/** An answer as one of the two protocols, or a scripted model, would have stored it. */
function storedAnswer({
  text: answerText,
  calls,
  source,
  reasoning,
}: typeof givenAnswer extends fc.Arbitrary<infer T> ? T : never): ModelAnswer {
  const answer = createAnswer({ text: answerText, calls });
  if (source === 'chat') {
    const chatCalls = answer.toolCalls.map((call) => ({ ...call, extra: { extra_content: { z: 1, a: 2 } } }));
    return {
      ...answer,
      items: toChatItems({ content: answerText, calls: chatCalls, extra: { reasoning_content: reasoning } }),
    };
  }
  if (source === 'responses') {
    const output = [
      { type: 'reasoning', id: 'rs_1', summary: [], encrypted_content: reasoning },
      {
        type: 'message',
        role: 'assistant',
        id: 'msg_1',
        content: [{ type: 'output_text', text: answerText, annotations: [] }],
      },
      ...answer.toolCalls.map((call) => ({
        type: 'function_call',
        call_id: call.callId,
        name: call.name,
        arguments: call.arguments,
      })),
    ];
    return { ...answer, ...fromResponse({ response: { status: 'completed', output } }).answer };
  }
  return answer;
}

const history = fc.array(fc.tuple(inputs, givenAnswer, text), { minLength: 1, maxLength: 6 }).map((list) =>
  list.map(([texts, stored, output]): Turn => {
    const answer = storedAnswer(stored);
    return {
      inputs: texts,
      answer,
      results: answer.toolCalls.map(({ callId }) => ({ callId, output, isError: false })),
    };
  }),
);

describe.each([
  { api: 'responses', convert: (turns: Turn[]): object[] => turns.flatMap(toResponsesItems) },
  { api: 'chat', convert: (turns: Turn[]): object[] => turns.flatMap(toChatMessages) },
])('the input of the $api protocol', ({ convert }) => {
  const words = (turns: Turn[]) => convert(turns).map((item) => JSON.stringify(item));
  const inputOf = (turns: Turn[], index: number) => [
    ...turns.slice(0, index),
    { inputs: turns[index]?.inputs ?? [], answer: null, results: null },
  ];

  test('starts with the exact input of the previous turn, also after a takeover', () => {
    fc.assert(
      fc.property(history, fc.nat(), (turns, cut) => {
        const stored = reordered(turns);
        for (const index of turns.keys()) {
          const shorter = words(inputOf(turns, index));
          // From some turn on, the history is what another worker read from the database.
          const longer = words(index < cut % 6 ? turns : stored);
          expect(longer.slice(0, shorter.length)).toEqual(shorter);
        }
      }),
      { numRuns: 200 },
    );
  });

  test('contains every answer and every result exactly once', () => {
    fc.assert(
      fc.property(history, (turns) => {
        const whole = words(turns).join('\n');
        const results = turns.reduce((sum, turn) => sum + (turn.results?.length ?? 0), 0);
        expect(whole.match(/"(tool_call_id|function_call_output)"/g)?.length ?? 0).toBe(results);
        expect(convert(turns).length).toBeGreaterThanOrEqual(turns.length);
      }),
    );
  });
});

describe('the items of a response that are sent back', () => {
  const items = (output: object[]) =>
    fromResponse({ response: { status: 'completed', output } }).answer.items.map((item) => JSON.parse(String(item)));
  const call = { type: 'function_call', call_id: 'c', name: 'n', arguments: '{}', zebra: 1, ape: 2 };
  const sealed = { type: 'reasoning', id: 'rs_1', summary: [], encrypted_content: 'x' };

  test.each([
    {
      name: 'items stay as they are, unknown fields and kinds too',
      output: [sealed, { type: 'web', a: 1 }, call],
      kept: [sealed, { type: 'web', a: 1 }, call],
    },
    { name: 'reasoning that nothing follows goes', output: [call, sealed], kept: [call] },
    {
      name: 'reasoning that is only a reference goes',
      output: [{ ...sealed, encrypted_content: null }, call],
      kept: [call],
    },
  ])('$name', ({ output, kept }) => {
    expect(items(output)).toEqual(kept);
  });

  test('streamed items replace a missing output', () => {
    const { answer } = fromResponse({ response: { status: 'completed', output: [] }, streamed: [call] });
    expect(answer.toolCalls).toEqual([{ callId: 'c', name: 'n', arguments: '{}' }]);
  });

  test('a database can store the id of a call', () => {
    const response = { status: 'completed', output: [{ ...call, call_id: 'c\0\ud800' }] };
    const { answer } = fromResponse({ response });
    expect(answer.toolCalls).toEqual([{ callId: 'c\ufffd\ufffd', name: 'n', arguments: '{}' }]);
  });

  test.each([
    { name: 'for its length', incomplete_details: { reason: 'max_output_tokens' } },
    { name: 'without details', incomplete_details: null },
    { name: 'without a reason', incomplete_details: { reason: null } },
    { name: 'without the field', incomplete_details: undefined },
  ])('promise 22: an incomplete answer $name is cut off, and used', ({ incomplete_details }) => {
    const response = { status: 'incomplete', output: [call], incomplete_details };
    const { answer, isRefused } = fromResponse({ response });
    expect({ stop: answer.stop, calls: answer.toolCalls.length, isRefused }).toEqual({
      stop: 'length',
      calls: 1,
      isRefused: false,
    });
  });

  test.each([
    { input_tokens: 0 },
    { input_tokens: -5 },
    { output_tokens: 0.5 },
    { input_tokens_details: { cached_tokens: -1 } },
  ])('invalid usage is null: %o', (broken) => {
    const response = { status: 'completed', output: [call], usage: { input_tokens: 5, output_tokens: 2, ...broken } };
    expect(fromResponse({ response }).usage).toBeNull();
  });
});
