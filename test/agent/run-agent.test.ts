import { setTimeout as delay } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import type { FindProblems } from '../../src/agent/finish.ts';
import type { Turn } from '../../src/agent/model/model.ts';
import { emptyNudge, stuckNudge, writtenCallNudge } from '../../src/agent/progress.ts';
import { createTool, toolError, toolOk } from '../../src/agent/tool.ts';
import { HandedOver, LeaseLost } from '../../src/errors.ts';
import { createAnswer, createMemoryJournal, type MemoryJournal } from './memory-journal.ts';
import { createPlainTool, createTestBudget, runTestAgent } from './run-test-agent.ts';
import { createScriptedModel } from './scripted-model.ts';

const finish = (args: object = { summary: 'done' }): [string, object] => ['finish', args];

function createNotes() {
  const notes: string[] = [];
  const note = createTool({
    name: 'note',
    description: 'Writes a note.',
    arguments: z.object({ text: z.string() }),
    execute: ({ text }) => {
      notes.push(text);
      return text === 'bad' ? toolError('not that one') : toolOk(`noted ${notes.length}`);
    },
  });
  return { notes, note };
}

const run = (options: Parameters<typeof runTestAgent>[0]) =>
  runTestAgent({ tools: [createNotes().note], opening: [], budget: createTestBudget({ maxTurns: 50 }), ...options });

const resultsOf = (journal: MemoryJournal, index: number) =>
  journal.turns[index]?.results?.map(({ output, isError }) => ({ output, isError }));

describe('an end', () => {
  test('a finish call ends the run with its arguments', async () => {
    const ending = { summary: 'fixed', title: 'Fix it', replies: [{ message: 'msg_1', text: 'yes' }] };
    const journal = createMemoryJournal();
    journal.waiting.push('<message id="msg_1">fix it</message>');
    const end = await run({ model: createScriptedModel([createAnswer({ calls: [finish(ending)] })]), journal });
    expect(end).toEqual({ kind: 'finished', ...ending });
    expect(journal.turns).toHaveLength(1);
    expect(journal.turns[0]?.inputs).toEqual(['<message id="msg_1">fix it</message>']);
    expect(resultsOf(journal, 0)).toEqual([{ output: 'finished', isError: false }]);
  });

  test('a text without tool calls ends the run and is its summary', async () => {
    const journal = createMemoryJournal();
    const end = await run({ model: createScriptedModel([createAnswer({ text: ' nothing to do\n' })]), journal });
    expect(end).toEqual({ kind: 'finished', summary: 'nothing to do', replies: [] });
    expect(journal.turns[0]?.results).toEqual([]);
  });

  test('a finish call among other calls runs last, and results keep the order of the calls', async () => {
    const { notes, note } = createNotes();
    const journal = createMemoryJournal();
    const calls: [string, object][] = [['note', { text: 'a' }], finish(), ['note', { text: 'b' }]];
    const end = await run({ model: createScriptedModel([createAnswer({ calls })]), journal, tools: [note] });
    expect(end).toMatchObject({ kind: 'finished' });
    expect(notes).toEqual(['a', 'b']);
    expect(resultsOf(journal, 0)?.map(({ output }) => output)).toEqual(['noted 1', 'finished', 'noted 2']);
  });
});

describe("the model's mistakes become tool results", () => {
  test.each<{ name: string; calls: [string, object | string][]; output: RegExp }>([
    { name: 'an unknown tool', calls: [['nope', {}]], output: /there is no tool nope; the tools are note, finish/ },
    { name: 'broken JSON', calls: [['note', '{"text": "a']], output: /not valid JSON/ },
    { name: 'wrong arguments', calls: [['note', { text: 1 }]], output: /wrong arguments for note/ },
    { name: 'a finish without a summary', calls: [finish({})], output: /wrong arguments for finish/ },
    { name: 'an error of the tool', calls: [['note', { text: 'bad' }]], output: /not that one/ },
  ])('$name', async ({ calls, output }) => {
    const journal = createMemoryJournal();
    const model = createScriptedModel([createAnswer({ calls }), createAnswer({ calls: [finish()] })]);
    expect(await run({ model, journal })).toMatchObject({ kind: 'finished', summary: 'done' });
    expect(resultsOf(journal, 0)).toEqual([{ output: expect.stringMatching(output), isError: true }]);
  });

  test('a call that the output limit cut off does not run', async () => {
    const { notes, note } = createNotes();
    const journal = createMemoryJournal();
    const cut = createAnswer({
      calls: [
        ['note', { text: 'a' }],
        ['note', { text: 'b' }],
      ],
      stop: 'length',
    });
    await run({ model: createScriptedModel([cut, createAnswer({ calls: [finish()] })]), journal, tools: [note] });
    expect(notes).toEqual(['a']);
    expect(resultsOf(journal, 0)?.[1]).toEqual({ output: expect.stringMatching(/smaller steps/), isError: true });
  });

  test('calls beyond the limit of one answer do not run', async () => {
    const { notes, note } = createNotes();
    const journal = createMemoryJournal();
    const calls = Array.from({ length: 101 }, (): [string, object] => ['note', { text: 'a' }]);
    const model = createScriptedModel([createAnswer({ calls }), createAnswer({ calls: [finish()] })]);
    await run({ model, journal, tools: [note] });
    expect(notes).toHaveLength(100);
    expect(resultsOf(journal, 0)?.slice(99)).toEqual([
      { output: 'noted 100', isError: false },
      { output: 'not run: one answer may make 100 calls; read their results, then repeat this call', isError: true },
    ]);
  });

  test('output that a database cannot store is replaced', async () => {
    const journal = createMemoryJournal();
    const tool = createPlainTool('read', () => toolOk('a\0b\ud800'));
    const model = createScriptedModel([createAnswer({ calls: [['read', '']] }), createAnswer({ text: 'ok' })]);
    await run({ model, journal, tools: [tool] });
    expect(resultsOf(journal, 0)).toEqual([{ output: 'a\ufffdb\ufffd', isError: false }]);
  });
});

describe('steering', () => {
  test('a message that arrives during a turn joins the next turn', async () => {
    const journal = createMemoryJournal();
    const model = createScriptedModel([
      async () => {
        journal.waiting.push('also the title');
        return createAnswer({ calls: [['note', { text: 'a' }]] });
      },
      createAnswer({ text: 'ok' }),
    ]);
    await run({ model, journal });
    expect(model.requests[1]?.turns.map(({ inputs }) => inputs)).toEqual([[], ['also the title']]);
  });
});

describe('a model without progress', () => {
  test.each([
    { name: 'an empty answer', bad: createAnswer({ text: ' ' }) },
    { name: 'a text that was cut off', bad: createAnswer({ text: 'I will now', stop: 'length' }) },
  ])('$name gets one nudge', async ({ bad }) => {
    const journal = createMemoryJournal();
    const model = createScriptedModel([bad, createAnswer({ text: 'ok' })]);
    expect(await run({ model, journal })).toMatchObject({ summary: 'ok' });
    expect(journal.turns[1]?.inputs).toEqual([emptyNudge]);
  });

  const written = createAnswer({ text: '<tool_call>{"name": "finish", "arguments": {"summary": "ok"}}</tool_call>' });

  test('a tool call written as text gets one nudge, and does not end the run as done', async () => {
    const journal = createMemoryJournal();
    const model = createScriptedModel([written, createAnswer({ text: 'ok' })]);
    expect(await run({ model, journal })).toMatchObject({ summary: 'ok' });
    expect(journal.turns[1]?.inputs).toEqual([writtenCallNudge]);
    const ended = run({ model: createScriptedModel([written]), journal: createMemoryJournal() });
    await expect(ended).rejects.toMatchObject({ name: 'NoProgress', reason: 'written_calls' });
  });

  test('two empty answers in a row end the run', async () => {
    const journal = createMemoryJournal();
    const ended = run({ model: createScriptedModel([createAnswer({})]), journal });
    await expect(ended).rejects.toMatchObject({ name: 'NoProgress', reason: 'empty_answers' });
    expect(journal.turns).toHaveLength(2);
  });

  const look = createTool({
    name: 'look',
    description: 'Looks.',
    arguments: z.object({ at: z.string() }),
    execute: ({ at }) => toolOk(`nothing at ${at}`),
  });
  const lookAt = (at: string) => createAnswer({ calls: [['look', { at }]] });

  test.each([
    { name: 'the same call with the same result', answers: ['a'], nudgeAt: 4, turns: 8 },
    { name: 'two calls in turns', answers: ['a', 'b'], nudgeAt: 6, turns: 12 },
  ])(
    'promise 9: $name, again and again, is nudged once and then ends as stuck',
    async ({ answers, nudgeAt, turns }) => {
      const journal = createMemoryJournal();
      const played = Array.from({ length: 40 }, (_, index) => lookAt(answers[index % answers.length] ?? ''));
      const ended = run({ model: createScriptedModel(played), journal, tools: [look] });
      await expect(ended).rejects.toMatchObject({ name: 'NoProgress', reason: 'repeated_steps' });
      expect(journal.turns.map(({ inputs }) => inputs.includes(stuckNudge)).indexOf(true)).toBe(nudgeAt);
      expect(journal.turns).toHaveLength(turns);
    },
  );

  test('the same call with changing results is no loop', async () => {
    const journal = createMemoryJournal();
    const again = createAnswer({ calls: [['note', { text: 'a' }]] });
    const model = createScriptedModel([...Array.from({ length: 9 }, () => again), createAnswer({ text: 'ok' })]);
    expect(await run({ model, journal })).toMatchObject({ summary: 'ok' });
    expect(journal.turns.flatMap(({ inputs }) => inputs)).toEqual([]);
  });
});

describe('a takeover', () => {
  const noted = createAnswer({ calls: [['note', { text: 'a' }]] });
  const answered: Turn = { inputs: ['hello'], answer: noted, results: null };
  const complete: Turn = { ...answered, results: [{ callId: 'call_0', output: 'noted 1', isError: false }] };
  const finished: Turn = {
    inputs: [],
    answer: createAnswer({ calls: [finish()] }),
    results: [{ callId: 'call_0', output: 'finished', isError: false }],
  };
  const ending: Turn = { inputs: [], answer: createAnswer({ text: 'all done' }), results: [] };

  test('promise 10: an answered turn without results runs its tools again, without a second request', async () => {
    const { notes, note } = createNotes();
    const journal = createMemoryJournal([answered]);
    const model = createScriptedModel([noted, createAnswer({ text: 'ok' })]);
    expect(await run({ model, journal, tools: [note] })).toMatchObject({ summary: 'ok' });
    expect(notes).toEqual(['a']);
    expect(model.requests).toHaveLength(1);
    expect(journal.turns[0]).toEqual(complete);
  });

  test('an unanswered turn repeats its request with the stored inputs', async () => {
    const journal = createMemoryJournal([complete, { inputs: ['and this'], answer: null, results: null }]);
    journal.waiting.push('later');
    const model = createScriptedModel([noted, createAnswer({ text: 'ok' })]);
    await run({ model, journal });
    expect(model.requests.map(({ turns }) => turns.at(-1)?.inputs)).toEqual([['and this']]);
    expect(journal.waiting).toEqual(['later']);
  });

  test.each([
    { name: 'a finish call', last: finished, summary: 'done' },
    { name: 'a text', last: ending, summary: 'all done' },
    { name: 'a text whose turn was not completed', last: { ...ending, results: null }, summary: 'all done' },
  ])('a run that ended with $name ends again without a request', async ({ last, summary }) => {
    const journal = createMemoryJournal([complete, last]);
    const model = createScriptedModel([]);
    expect(await run({ model, journal })).toEqual({ kind: 'finished', summary, replies: [] });
    expect(model.requests).toEqual([]);
    expect(journal.turns).toHaveLength(2);
  });

  test('a run that ended continues when there are problems', async () => {
    const journal = createMemoryJournal([complete, finished]);
    const model = createScriptedModel([noted, noted, createAnswer({ text: 'now fixed' })]);
    const end = await run({ model, journal, opening: ['docs/a.md has a broken link'] });
    expect(end).toMatchObject({ summary: 'now fixed' });
    expect(journal.turns[2]?.inputs).toEqual(['docs/a.md has a broken link']);
  });

  test('a crash at any point leads to the same end and the same turns', async () => {
    const answers = [noted, createAnswer({ text: ' ' }), noted, createAnswer({ calls: [finish()] })];
    const whole = createMemoryJournal();
    const tool = createTool({
      name: 'note',
      description: 'Notes.',
      arguments: z.object({ text: z.string() }),
      execute: ({ text }) => toolOk(`noted ${text}`),
    });
    const end = await run({ model: createScriptedModel(answers), journal: whole, opening: ['go'], tools: [tool] });
    for (const [index, turn] of whole.turns.entries()) {
      const before = whole.turns.slice(0, index);
      for (const last of [{ ...turn, answer: null, results: null }, { ...turn, results: null }, turn]) {
        const journal = createMemoryJournal(structuredClone([...before, last]));
        expect(await run({ model: createScriptedModel(answers), journal, tools: [tool] })).toEqual(end);
        expect(journal.turns).toEqual(whole.turns);
      }
    }
  });
});

describe('interruptions', () => {
  const hang = (_: unknown, signal: AbortSignal) =>
    new Promise<never>((_resolve, reject) => {
      signal.addEventListener('abort', () => reject(new Error('some other error')));
    });

  test.each([
    { name: 'that fails by it in its own words', answer: hang },
    { name: 'that does not listen', answer: () => new Promise<never>(() => {}) },
  ])('an abort during a model request $name throws its reason', async ({ answer }) => {
    const stop = new AbortController();
    const reason = new Error('cancelled');
    const model = createScriptedModel([
      (request, signal) => {
        queueMicrotask(() => stop.abort(reason));
        return answer(request, signal);
      },
    ]);
    await expect(run({ model, journal: createMemoryJournal(), signal: stop.signal })).rejects.toBe(reason);
  });

  test('an abort during a tool throws its reason and stores no results', async () => {
    const stop = new AbortController();
    const reason = new Error('cancelled');
    const tool = createPlainTool('wait', (args, signal) => {
      queueMicrotask(() => stop.abort(reason));
      return hang(args, signal);
    });
    const journal = createMemoryJournal();
    const model = createScriptedModel([createAnswer({ calls: [['wait', {}]] })]);
    await expect(run({ model, journal, tools: [tool], signal: stop.signal })).rejects.toBe(reason);
    expect(journal.turns[0]?.results).toBeNull();
  });

  test('promise 16: a hand-over stores the pending answer, runs none of its tools and opens no turn', async () => {
    const handOver = new AbortController();
    const grace = new AbortController();
    const reason = new HandedOver('stopping');
    const journal = createMemoryJournal();
    const { notes, note } = createNotes();
    const answer = createAnswer({ calls: [['note', { text: 'a' }]] });
    const model = createScriptedModel([
      async () => {
        handOver.abort(reason);
        await delay(20);
        return answer;
      },
      createAnswer({ calls: [finish()] }),
    ]);
    const args = { model, journal, tools: [note] };
    await expect(run({ ...args, signal: handOver.signal, grace: grace.signal })).rejects.toBe(reason);
    expect(journal.turns).toMatchObject([{ answer, results: null }]);
    expect(notes).toEqual([]);
    // Whoever goes on asks for nothing that was answered.
    expect(await run(args)).toMatchObject({ kind: 'finished' });
    expect(notes).toEqual(['a']);
    expect(model.requests).toHaveLength(2);
  });

  test('promise 16: a hand-over during tools opens no turn', async () => {
    const handOver = new AbortController();
    const reason = new HandedOver('stopping');
    const journal = createMemoryJournal();
    const tool = createPlainTool('note', () => {
      handOver.abort(reason);
      return toolOk('noted');
    });
    const model = createScriptedModel([createAnswer({ calls: [['note', {}]] })]);
    const grace = new AbortController().signal;
    await expect(run({ model, journal, tools: [tool], signal: handOver.signal, grace })).rejects.toBe(reason);
    expect(resultsOf(journal, 0)).toEqual([{ output: 'noted', isError: false }]);
    expect(journal.turns).toHaveLength(1);
  });

  test('promise 16: a request without an answer at the end of the grace is abandoned', async () => {
    const handOver = new AbortController();
    const grace = new AbortController();
    const reason = new HandedOver('stopping');
    const journal = createMemoryJournal();
    const model = createScriptedModel([
      () => {
        handOver.abort(reason);
        setTimeout(() => grace.abort(reason), 20);
        return new Promise<never>(() => {});
      },
    ]);
    await expect(run({ model, journal, signal: handOver.signal, grace: grace.signal })).rejects.toBe(reason);
    expect(journal.turns).toMatchObject([{ answer: null }]);
  });

  test('promise 7: an abort takes effect between synchronous calls of one answer', async () => {
    const stop = new AbortController();
    const reason = new Error('cancelled');
    const { notes, note } = createNotes();
    const work: typeof note = {
      ...note,
      async call(args, signal) {
        if (notes.length === 0) setTimeout(() => stop.abort(reason));
        const startedAt = performance.now();
        // Longer than the timer, so that only the want of a turn keeps it waiting.
        while (performance.now() < startedAt + 2);
        return note.call(args, signal);
      },
    };
    const calls = Array.from({ length: 20 }, (): [string, object] => ['note', { text: 'a' }]);
    const model = createScriptedModel([createAnswer({ calls })]);
    const journal = createMemoryJournal();
    await expect(run({ model, journal, tools: [work], signal: stop.signal })).rejects.toBe(reason);
    expect(notes.length).toBeLessThan(5);
    expect(journal.turns[0]?.results).toBeNull();
  });

  test('a lost lease is thrown unchanged', async () => {
    const journal = createMemoryJournal();
    const lost = new LeaseLost('another worker has it');
    journal.saveAnswer = () => Promise.reject(lost);
    await expect(run({ model: createScriptedModel([createAnswer({ text: 'a' })]), journal })).rejects.toBe(lost);
  });

  test('an error in a tool is thrown with the name of the tool', async () => {
    const cause = new Error('disk full');
    const tool = createPlainTool('write', () => Promise.reject(cause));
    const model = createScriptedModel([createAnswer({ calls: [['write', {}]] })]);
    const ended = run({ model, journal: createMemoryJournal(), tools: [tool] });
    await expect(ended).rejects.toMatchObject({ message: 'could not run tool write', cause });
  });
});

describe('problems', () => {
  const problem = 'limits.md still holds a conflict marker';
  const objection = `not finished yet; solve this first, then call finish again:\n${problem}`;
  const tidy: [string, object] = ['note', { text: 'solved' }];

  test('a finish call gets the remaining problems as an error, and is accepted once they are solved', async () => {
    const { notes, note } = createNotes();
    const journal = createMemoryJournal();
    const model = createScriptedModel([
      createAnswer({ calls: [finish()] }),
      createAnswer({ calls: [tidy, finish({ summary: 'solved' })] }),
    ]);
    const findProblems = async () => (notes.length === 0 ? [problem] : []);
    expect(await run({ model, journal, tools: [note], findProblems })).toMatchObject({ summary: 'solved' });
    expect(resultsOf(journal, 0)).toEqual([{ output: objection, isError: true }]);
  });

  test('a text answer is sent back with the problems as well', async () => {
    const { notes, note } = createNotes();
    const journal = createMemoryJournal();
    const model = createScriptedModel([
      createAnswer({ text: 'Done.' }),
      createAnswer({ calls: [tidy] }),
      createAnswer({ text: 'Solved.' }),
    ]);
    const findProblems = async () => (notes.length === 0 ? [problem] : []);
    expect(await run({ model, journal, tools: [note], findProblems })).toMatchObject({ summary: 'Solved.' });
    expect(journal.turns[1]?.inputs).toEqual([objection]);
  });

  const failed: [string, object] = ['note', { text: 'bad' }];
  const failedCalls =
    'not finished yet; solve this first, then call finish again:\n' +
    'these calls in the same answer failed, or left a part undone: note, nope. Read their results: the summary must not claim work that was not done.';

  test('a finish call next to failed calls is refused, and accepted when it comes alone', async () => {
    const journal = createMemoryJournal();
    const model = createScriptedModel([
      createAnswer({ calls: [failed, finish({ summary: 'updated' }), tidy, failed, ['nope', {}]] }),
      createAnswer({ calls: [finish({ summary: 'not updated' })] }),
    ]);
    expect(await run({ model, journal })).toMatchObject({ summary: 'not updated' });
    expect(resultsOf(journal, 0)?.[1]).toEqual({ output: failedCalls, isError: true });
  });

  test('a finish call next to a call that was cut off is refused', async () => {
    const journal = createMemoryJournal();
    const model = createScriptedModel([
      createAnswer({ calls: [finish({ summary: 'updated' }), tidy], stop: 'length' }),
      createAnswer({ calls: [finish()] }),
    ]);
    expect(await run({ model, journal })).toMatchObject({ summary: 'done' });
    expect(resultsOf(journal, 0)?.[0]).toMatchObject({ output: expect.stringContaining('undone: note.') });
  });

  test('one objection names failed calls and problems', async () => {
    const journal = createMemoryJournal();
    const model = createScriptedModel([createAnswer({ calls: [['nope', {}], finish()] })]);
    await run({ model, journal, findProblems: async () => [problem] });
    const output = expect.stringMatching(/undone: nope\..*\nlimits\.md still holds a conflict marker$/);
    expect(resultsOf(journal, 0)?.[1]).toEqual({ output, isError: true });
  });

  test.each([
    ['a finish call', createAnswer({ calls: [finish({ summary: 'enough' })] })],
    ['a finish call next to a failed call', createAnswer({ calls: [failed, finish({ summary: 'enough' })] })],
    ['text alone', createAnswer({ text: 'enough' })],
  ])('the third end by %s is accepted despite problems', async (_name, answer) => {
    const model = createScriptedModel([answer, answer, answer]);
    const journal = createMemoryJournal();
    expect(await run({ model, journal, findProblems: async () => [problem] })).toMatchObject({ summary: 'enough' });
    expect(journal.turns).toHaveLength(3);
  });

  test('a finish call next to the first failed call is refused even after two objections, once', async () => {
    const enough = createAnswer({ calls: [finish({ summary: 'enough' })] });
    const beside = createAnswer({ calls: [failed, finish({ summary: 'enough' })] });
    const journal = createMemoryJournal();
    await run({
      model: createScriptedModel([enough, enough, beside, beside]),
      journal,
      findProblems: async () => [problem],
    });
    expect(resultsOf(journal, 2)?.[1]).toEqual({
      output: expect.not.stringContaining(problem),
      isError: true,
    });
    expect(journal.turns).toHaveLength(4);
  });

  test.each([
    ['a finish call', createAnswer({ calls: [finish({ summary: 'enough' })] })],
    ['text alone', createAnswer({ text: 'enough' })],
  ])('a message that arrives after two objections brings two more, by %s', async (_name, answer) => {
    const model = createScriptedModel(Array.from({ length: 5 }, () => answer));
    const journal = createMemoryJournal();
    const raised: number[] = [];
    const findProblems: FindProblems = async (_finish, options) => {
      raised.push(options.raised.length);
      if (raised.length === 2) journal.waiting.push('<message>');
      return [problem];
    };
    const isMessage = (input: string) => input === '<message>';
    expect(await run({ model, journal, findProblems, isMessage })).toMatchObject({ summary: 'enough' });
    expect({ turns: journal.turns.length, raised }).toEqual({ turns: 5, raised: [0, 1, 0, 1] });
  });
});
