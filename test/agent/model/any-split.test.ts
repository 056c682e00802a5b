import fc from 'fast-check';
import { expect, test } from 'vitest';
import { chatProtocol } from '../../../src/agent/model/chat.ts';
import { readEvents } from '../../../src/agent/model/event-stream.ts';
import type { Protocol, ReadAnswer } from '../../../src/agent/model/model.ts';
import { responsesProtocol } from '../../../src/agent/model/responses.ts';

interface Right {
  text: string;
  reasoning: string;
  calls: { id: string; name: string; arguments: string }[];
}

const name = fc.constantFrom('read_file', 'write_file', 'finish');
const argumentsText = fc
  .tuple(fc.dictionary(fc.string({ maxLength: 4 }), fc.jsonValue({ maxDepth: 2 }), { maxKeys: 3 }), fc.nat({ max: 2 }))
  .map(([value, indent]) => JSON.stringify(value, null, indent));
const right: fc.Arbitrary<Right> = fc
  .record({
    text: fc.string({ unit: 'grapheme', maxLength: 20 }),
    reasoning: fc.string({ unit: 'grapheme', maxLength: 10 }),
    calls: fc.array(fc.tuple(name, argumentsText), { maxLength: 3 }),
  })
  .filter(({ text, calls }) => text !== '' || calls.length > 0)
  .map(({ calls, ...answer }) => ({
    ...answer,
    calls: calls.map(([called, text], index) => ({ id: `id_${index}`, name: called, arguments: text })),
  }));

/** Draws where to cut, and how the server streams. */
const style = fc.record({
  /** Lengths, over and over. */
  cuts: fc.array(fc.integer({ min: 1, max: 6 }), { minLength: 1, maxLength: 6 }),
  ids: fc.constantFrom('once', 'each', 'new', 'late'),
  isNameRepeated: fc.boolean(),
  isWholeRepeated: fc.boolean(),
  isCumulative: fc.boolean(),
  isObject: fc.boolean(),
  isIndexed: fc.boolean(),
  areParts: fc.boolean(),
  reason: fc.constantFrom('usual', 'other', 'upper', 'none'),
  isWithoutOutput: fc.boolean(),
  lineEnd: fc.constantFrom('\n', '\r\n'),
});
type Style = typeof style extends fc.Arbitrary<infer Value> ? Value : never;

function split(whole: string, { cuts }: Style): string[] {
  const pieces: string[] = [];
  for (let at = 0; at < whole.length; ) {
    const length = cuts[pieces.length % cuts.length] ?? 1;
    pieces.push(whole.slice(at, at + length));
    at += length;
  }
  return pieces;
}

function splitArguments(whole: string, drawn: Style): unknown[] {
  if (drawn.isObject) return [JSON.parse(whole)];
  const pieces = split(whole, drawn);
  const sent = drawn.isCumulative ? pieces.map((_, index) => pieces.slice(0, index + 1).join('')) : pieces;
  return drawn.isWholeRepeated && drawn.isIndexed ? [...sent, whole] : sent;
}

const chunk = (delta: object, reason: string | null = null) => ({
  choices: [{ index: 0, delta, finish_reason: reason }],
});

function streamChat({ text, reasoning, calls }: Right, drawn: Style): object[] {
  const { ids, isNameRepeated, isIndexed, areParts, reason } = drawn;
  const usual = calls.length > 0 ? 'tool_calls' : 'stop';
  const reasons = { usual, other: 'all_said', upper: usual.toUpperCase(), none: null };
  return [
    ...split(reasoning, drawn).map((piece) => chunk({ reasoning: piece })),
    ...split(text, drawn).map((piece) => chunk({ content: areParts ? [{ type: 'text', text: piece }] : piece })),
    ...calls.flatMap((call, index) =>
      splitArguments(call.arguments, drawn).map((piece, at) => {
        const isFirst = at === 0;
        const hasId = { once: isFirst, each: true, new: isIndexed || isFirst, late: isIndexed ? at === 1 : isFirst }[
          ids
        ];
        const called = { ...((isFirst || isNameRepeated) && { name: call.name }), arguments: piece };
        return chunk({
          tool_calls: [
            {
              ...(isIndexed && { index }),
              ...(hasId && { id: ids === 'new' && !isFirst ? `${call.id}_${at}` : call.id }),
              function: called,
            },
          ],
        });
      }),
    ),
    chunk({}, reasons[reason]),
  ];
}

function streamResponse({ text, calls }: Right, drawn: Style): object[] {
  const message = { type: 'message', role: 'assistant', content: [{ type: 'output_text', text }] };
  const items = [
    ...(text === '' ? [] : [message]),
    ...calls.map((call) => ({
      type: 'function_call',
      call_id: call.id,
      name: call.name,
      arguments: drawn.isObject ? JSON.parse(call.arguments) : call.arguments,
    })),
  ];
  const place = (index: number) => (drawn.isIndexed ? { output_index: index } : { item_id: `item_${index}` });
  const named = (item: object, index: number) => ({ ...item, id: `item_${index}` });
  const events = items.flatMap((item, index) => [
    {
      type: 'response.output_item.added',
      ...place(index),
      item: named('content' in item ? { ...item, content: [] } : { ...item, arguments: '' }, index),
    },
    ...('content' in item
      ? split(text, drawn).map((delta) => ({ type: 'response.output_text.delta', ...place(index), delta }))
      : splitArguments(JSON.stringify(item.arguments) === item.arguments ? '' : asText(item.arguments), {
          ...drawn,
          isObject: false,
        }).map((delta) => ({ type: 'response.function_call_arguments.delta', ...place(index), delta }))),
    ...(drawn.isNameRepeated ? [{ type: 'response.output_item.done', ...place(index), item: named(item, index) }] : []),
  ]);
  const output = drawn.isWithoutOutput ? [] : items;
  return [...events, { type: 'response.completed', response: { status: 'completed', output } }];
}

const asText = (value: unknown) => (typeof value === 'string' ? value : JSON.stringify(value));

/** As bytes, cut anywhere. */
async function read(protocol: Protocol, events: readonly object[], drawn: Style): Promise<ReadAnswer> {
  const lines = [': hello', '', ...events.flatMap((event) => [`data: ${JSON.stringify(event)}`, ''])];
  const bytes = Buffer.from([...lines, 'data: [DONE]', '', ''].join(drawn.lineEnd));
  async function* body() {
    for (let at = 0, count = 0; at < bytes.length; count += 1) {
      const length = 7 * (drawn.cuts[count % drawn.cuts.length] ?? 1);
      yield bytes.subarray(at, at + length);
      at += length;
    }
  }
  const reader = protocol.createReader();
  for await (const event of readEvents(body(), () => {})) {
    if (event.isDone) return reader.finish(true);
    if (reader.add(event.event)) break;
  }
  return reader.finish(false);
}

const describeAnswer = ({ answer }: ReadAnswer) => ({
  text: answer.text,
  calls: answer.toolCalls.map((call) => [call.name, JSON.parse(call.arguments)]),
});
const describeRight = ({ text, calls }: Right) => ({
  text,
  calls: calls.map((call) => [call.name, JSON.parse(call.arguments)]),
});

test.each([
  { api: 'chat', protocol: chatProtocol, stream: streamChat },
  { api: 'responses', protocol: responsesProtocol, stream: streamResponse },
])('promise 41: any split of a right $api answer is the same answer', async ({ protocol, stream }) => {
  await fc.assert(
    fc.asyncProperty(right, style, async (answer, drawn) => {
      const met = await read(protocol, stream(answer, drawn), drawn);
      expect(describeAnswer(met)).toEqual(describeRight(answer));
    }),
    { numRuns: 200 },
  );
});

test('promise 41: thoughts come back as they were streamed, in any pieces', async () => {
  await fc.assert(
    fc.asyncProperty(right, style, async (answer, drawn) => {
      const { answer: met } = await read(chatProtocol, streamChat(answer, drawn), drawn);
      const { reasoning = '' } = JSON.parse(String(met.items[0]));
      expect(reasoning).toBe(answer.reasoning);
    }),
  );
});
