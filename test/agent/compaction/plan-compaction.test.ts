import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  type Compaction,
  planCompaction,
  planHarderCompaction,
} from '../../../src/agent/compaction/ask-within-window.ts';
import { toChatMessages } from '../../../src/agent/model/chat.ts';
import type { Turn } from '../../../src/agent/model/model.ts';
import { toResponsesItems } from '../../../src/agent/model/responses.ts';
import { createAnswer } from '../memory-journal.ts';

const contextTokens = 10_000;

/** A turn whose calls returned so many characters each. `tokens`: of its request. */
const turn = ({
  tokens = 0,
  outputs = [],
  name = 'read_file',
  args = { path: 'a.md' },
  isError = false,
}: {
  tokens?: number;
  outputs?: number[];
  name?: string;
  args?: object;
  isError?: boolean;
}): Turn => ({
  inputs: [],
  answer: createAnswer({ tokens, calls: outputs.map(() => [name, args]) }),
  results: outputs.map((size, index) => ({ callId: `call_${index}`, output: 'x'.repeat(size), isError })),
});
const open: Turn = { inputs: [], answer: null, results: null };
const times = (count: number, make: () => Turn) => Array.from({ length: count }, make);
const compactedIndexes = (compaction: Compaction | undefined) => [...(compaction?.turns.keys() ?? [])];

describe('when a conversation is compacted', () => {
  const read = () => turn({ tokens: 1_000, outputs: [4_000] });
  test.each<{ name: string; turns: Turn[]; indexes: number[] }>([
    { name: 'not before its first answer', turns: [{ ...open, inputs: ['x'.repeat(100_000)] }], indexes: [] },
    { name: 'not below the share', turns: [...times(8, read), turn({ tokens: 7_000 }), open], indexes: [] },
    {
      name: 'above the share, oldest results first, and down to well below it',
      turns: [...times(12, read), turn({ tokens: 7_001 }), open],
      indexes: [0, 1, 2, 3],
    },
    {
      name: 'by what came after the last answer, too',
      turns: [...times(12, read), turn({ tokens: 3_000, outputs: [17_000] }), open],
      indexes: [0, 1, 2, 3],
    },
    {
      name: 'by new messages, too',
      turns: [...times(12, read), turn({ tokens: 3_000 }), { ...open, inputs: ['x'.repeat(17_000)] }],
      indexes: [0, 1, 2, 3],
    },
    {
      name: 'not the last turns, if the older ones are enough',
      turns: [...times(4, read), turn({ tokens: 7_001 }), ...times(4, () => turn({ tokens: 7_001 })), open],
      indexes: [0, 1, 2],
    },
    {
      name: 'the last turns, but for the newest, if nothing else helps',
      turns: [...times(4, read), turn({ tokens: 8_100, outputs: [4_000] }), open],
      indexes: [0, 1, 2],
    },
    {
      name: 'not the last turns while there is room',
      turns: [...times(4, read), turn({ tokens: 7_500, outputs: [4_000] }), open],
      indexes: [],
    },
    {
      name: 'never the newest results, which the model has not read',
      turns: [turn({ tokens: 5_000, outputs: [20_000] }), open],
      indexes: [],
    },
    {
      name: 'not for little, while there is room',
      turns: [turn({ outputs: [3_000] }), ...times(6, () => turn({ tokens: 8_000 })), open],
      indexes: [],
    },
    {
      name: 'for little, when there is hardly any room',
      turns: [turn({ outputs: [3_000] }), ...times(6, () => turn({ tokens: 9_001 })), open],
      indexes: [0],
    },
    {
      name: 'not twice for one request',
      turns: [...times(12, read), { ...read(), compactedFor: 14 }, turn({ tokens: 9_500 }), open],
      indexes: [],
    },
    {
      name: 'not what is as short as the line in its place',
      turns: [...times(12, () => turn({ outputs: [100] })), turn({ tokens: 9_500 }), open],
      indexes: [],
    },
    {
      name: 'never a call of finish and its result',
      turns: [...times(12, () => turn({ outputs: [4_000], name: 'finish' })), turn({ tokens: 9_500 }), open],
      indexes: [],
    },
  ])('$name', ({ turns, indexes }) => {
    expect(compactedIndexes(planCompaction({ turns, contextTokens }))).toEqual(indexes);
  });
});

test('one line says what a result was, how long, and what to do', () => {
  const args = { path: `guides/${'long/'.repeat(30)}a.md` };
  const turns = [
    turn({ outputs: [12_345, 10] }),
    turn({ outputs: [8_000], args, isError: true }),
    ...times(6, () => turn({ tokens: 9_500 })),
    open,
  ];
  const compaction = planCompaction({ turns, contextTokens });
  const lines = [...(compaction?.turns.values() ?? [])].map(({ results }) => results?.map(({ output }) => output));
  expect(lines).toEqual([
    [
      '(removed to make room: read_file {"path":"a.md"}: 12,345 characters; read again what you still need)',
      'xxxxxxxxxx',
    ],
    [
      expect.stringMatching(
        /^\(removed to make room: read_file \{"path":"guides\/[/long]+\.\.\.: failed, 8,000 characters; /,
      ),
    ],
  ]);
  expect(compaction).toMatchObject({ tokensBefore: 9_500, tokensAfter: expect.any(Number) });
  expect(compaction?.tokensAfter).toBeLessThan(5_000);
});

test('long texts in calls go where results are not enough, and the rest of the call stays', () => {
  const content = 'y'.repeat(4_000);
  const write = () => turn({ outputs: [20], name: 'write_file', args: { path: 'a.md', content } });
  const turns = [...times(8, write), ...times(6, () => turn({ tokens: 9_000 })), open];
  const compaction = planCompaction({ turns, contextTokens });
  expect(compactedIndexes(compaction)).toEqual([0, 1, 2, 3, 4, 5]);
  const shortened = compaction?.turns.get(0);
  expect(JSON.parse(shortened?.answer?.toolCalls[0]?.arguments ?? '')).toEqual({
    path: 'a.md',
    content: '(removed to make room: 4,000 characters)',
  });
  expect(shortened?.results).toEqual(turns[0]?.results);
});

test('after a refusal as too long, each compaction is harder, until only the newest results are left', () => {
  const turns = [...times(9, () => turn({ tokens: 100, outputs: [1_000] })), open];
  const cut: number[][] = [];
  for (;;) {
    const compaction = planHarderCompaction(turns);
    if (!compaction) break;
    cut.push(compactedIndexes(compaction));
    for (const [index, compacted] of compaction.turns) turns[index] = compacted;
  }
  expect(cut).toEqual([
    [0, 1, 2],
    [3, 4, 5],
    [6, 7],
  ]);
});

const someText = fc.oneof(
  fc.string(),
  fc.integer({ min: 0, max: 3_000 }).map((size) => 'z'.repeat(size)),
);
const someArguments = fc.oneof(
  someText,
  fc.record({ path: fc.string(), content: someText }).map((args) => JSON.stringify(args)),
);
const someCall = fc.record({ name: fc.constantFrom('read_file', 'write_file', 'finish'), args: someArguments });

/** A turn with reasoning, as either API stores it. */
const someTurn = fc
  .record({
    inputs: fc.array(someText, { maxLength: 2 }),
    text: fc.string(),
    calls: fc.array(fc.tuple(someCall, someText), { maxLength: 3 }),
    api: fc.constantFrom('responses', 'chat', 'none'),
    tokens: fc.integer({ min: 0, max: 12_000 }),
  })
  .map(({ inputs, text, calls, api, tokens }): Turn => {
    const answer = createAnswer({ text, tokens, calls: calls.map(([{ name, args }]) => [name, args]) });
    const responses = [
      { type: 'reasoning', id: 'rs_1', summary: [], encrypted_content: 'sealed:1' },
      { type: 'message', role: 'assistant', content: [{ type: 'output_text', text }] },
      ...answer.toolCalls.map(({ callId, name, arguments: args }) => ({
        type: 'function_call',
        id: `fc_${callId}`,
        call_id: callId,
        name,
        arguments: args,
      })),
    ];
    const chat = {
      role: 'assistant',
      content: text,
      reasoning_content: 'hm',
      tool_calls: answer.toolCalls.map(({ callId, name, arguments: args }) => ({
        id: callId,
        type: 'function',
        function: { name, arguments: args },
        extra_content: { signature: 's' },
      })),
    };
    const items = { responses, chat: calls.length > 0 ? [chat] : [], none: [] }[api];
    const results = calls.map(([, output], index) => ({ callId: `call_${index}`, output, isError: false }));
    return { inputs, answer: { ...answer, items: items.map((item) => JSON.stringify(item)) }, results };
  });

const withoutCut = (key: string, value: unknown) =>
  key === 'output' || key === 'arguments' || (key === 'content' && typeof value === 'string') ? '' : value;
/** What no compaction may touch, in order. */
const listKept = ({ inputs, answer, results }: Turn) => ({
  inputs,
  text: answer?.text,
  usage: answer?.usage,
  stop: answer?.stop,
  calls: answer?.toolCalls.map(({ callId, name }) => [callId, name]),
  finishes: answer?.toolCalls.flatMap((call, index) => (call.name === 'finish' ? [[call, results?.[index]]] : [])),
  pairs: results?.map(({ callId, isError }) => [callId, isError]),
});
const shape = (items: readonly object[]) => JSON.stringify(items, withoutCut);

test('a compaction keeps messages, the model’s texts, finishes and pairs, for both APIs, and the newest results', () => {
  fc.assert(
    fc.property(fc.array(someTurn, { minLength: 1, maxLength: 14 }), fc.boolean(), (answered, isRefused) => {
      const turns = [...answered, open];
      const compaction = isRefused ? planHarderCompaction(turns) : planCompaction({ turns, contextTokens });
      for (const [index, after] of compaction?.turns ?? []) {
        const before = turns[index] ?? open;
        expect(index).toBeLessThan(answered.length - 1);
        expect(listKept(after)).toEqual(listKept(before));
        for (const toItems of [toResponsesItems, toChatMessages]) {
          expect(shape(toItems(after))).toBe(shape(toItems(before)));
        }
        expect(after.compactedFor).toBe(answered.length);
        const length = (turn: Turn) => JSON.stringify([turn.results, turn.answer?.toolCalls]).length;
        expect(length(after)).toBeLessThan(length(before));
      }
      // One compaction per request, and none that saves nothing.
      const next = turns.map((turn, index) => compaction?.turns.get(index) ?? turn);
      if (compaction && !isRefused) expect(planCompaction({ turns: next, contextTokens })).toBeUndefined();
      if (compaction) expect(compaction.tokensAfter).toBeLessThan(compaction.tokensBefore);
    }),
  );
});
