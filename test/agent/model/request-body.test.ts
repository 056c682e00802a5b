import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Turn } from '../../../src/agent/model/model.ts';
import { createBodyWriter } from '../../../src/agent/model/request-body.ts';
import { createAnswer } from '../memory-journal.ts';

const toItems = ({ inputs, answer, results }: Turn) => [
  ...inputs.map((content) => ({ content })),
  ...(answer ? [{ content: answer.text }] : []),
  ...(results ?? []),
];
const whole: Turn = {
  inputs: ['Do it.'],
  answer: createAnswer({ text: 'Done – “as asked”.', calls: [['1', '{}']] }),
  results: [{ callId: '1', output: 'ok', isError: false }],
};
const texts = fc.array(fc.string({ unit: 'binary' }), { maxLength: 3 });

test('a body is the JSON of its fields, the lead items and the items of each turn', async () => {
  await fc.assert(
    fc.asyncProperty(texts, fc.array(texts, { maxLength: 4 }), async (first, inputs) => {
      const lead = first.map((content) => ({ content }));
      const turns = [whole, ...inputs.map((list): Turn => ({ inputs: list, answer: null, results: null }))];
      const write = createBodyWriter('input', toItems);
      for (const subset of [turns.slice(1), turns]) {
        const body = write({ fields: { model: 'm', tools: [] }, lead, turns: subset });
        expect(body.type).toBe('application/json');
        const expected = { model: 'm', tools: [], input: [...lead, ...subset.flatMap(toItems)] };
        expect(await body.text()).toBe(JSON.stringify(expected).toWellFormed());
      }
    }),
  );
});

test('a complete turn is serialized once, an incomplete turn for each request', async () => {
  const converted: Turn[] = [];
  const write = createBodyWriter('input', (turn) => {
    converted.push(turn);
    return toItems(turn);
  });
  const open: Turn = { inputs: ['Go on.'], answer: null, results: null };
  const turns = [whole, open];
  write({ fields: { model: 'm' }, turns });
  open.answer = createAnswer({ text: 'Gone on.', calls: [] });
  open.results = [];
  write({ fields: { model: 'm' }, turns });
  const last = write({ fields: { model: 'm' }, turns });
  expect(converted).toEqual([whole, open, open]);
  expect(await last.text()).toContain('Gone on.');
});
