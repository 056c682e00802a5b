import { describe, expect, test } from 'vitest';
import type { Fault } from '../../local/model/script.ts';
import { startModelServer } from '../../local/model/start-model-server.ts';
import { createModel } from '../../src/agent/model/create-model.ts';
import type { Model } from '../../src/agent/model/model.ts';
import { type Tool, toolOk } from '../../src/agent/tool.ts';
import { createAnswer, createMemoryJournal } from './memory-journal.ts';
import { createPlainTool, createTestBudget, runTestAgent } from './run-test-agent.ts';
import { createScriptedModel } from './scripted-model.ts';

type Limits = Parameters<typeof createTestBudget>[0];

/** An agent with one tool, which writes a new file of ten bytes each time. */
function createAgent({
  model,
  journal = createMemoryJournal(),
  tools = [],
  ...limits
}: { model: Model; journal?: ReturnType<typeof createMemoryJournal>; tools?: Tool[] } & Limits) {
  let files = 0;
  const write = createPlainTool('write', () => {
    files += 1;
    return toolOk(`file ${files}`);
  });
  const hang = createPlainTool('hang', () => new Promise<never>(() => {}));
  const budget = createTestBudget({
    maxTurns: 100,
    maxTokens: 1_000_000,
    measureChange: () => ({ files, bytes: files * 10 }),
    ...limits,
  });
  return {
    journal,
    files: () => files,
    run: () => runTestAgent({ model, tools: [write, hang, ...tools], budget, journal, opening: [] }),
  };
}

const write = createAnswer({ calls: [['write', {}]], tokens: 100 });
const finish = createAnswer({ calls: [['finish', { summary: 'done' }]], tokens: 100 });

describe('promise 9: every run ends within its limits and says why', () => {
  test.each([
    { name: 'turns', overrides: { maxTurns: 3 }, limit: 'turns', requests: 3, words: '3 turns' },
    { name: 'tokens', overrides: { maxTokens: 450 }, limit: 'tokens', requests: 5, words: '450 tokens' },
    { name: 'files', overrides: { maxChangedFiles: 6 }, limit: 'files', requests: 7, words: '6 changed files' },
    {
      name: 'bytes',
      overrides: { maxChangedBytes: 1_000 / 20 },
      limit: 'bytes',
      requests: 6,
      words: '50 changed bytes',
    },
  ])('$name', async ({ overrides, limit, requests, words }) => {
    const model = createScriptedModel([write]);
    const agent = createAgent({ model, ...overrides });
    const end = await agent.run();
    expect(end).toEqual({ kind: 'limit', limit, sentence: expect.stringContaining(`the limit of ${words}.`) });
    expect(model.requests).toHaveLength(requests);
    // The end stands: asking again pays for nothing more.
    const again = { turns: requests, tokens: requests * 100, activeMs: 0 };
    if (limit === 'turns' || limit === 'tokens') {
      const taken = createAgent({ model, ...overrides, spent: again, journal: agent.journal });
      expect(await taken.run()).toEqual(end);
      expect(model.requests).toHaveLength(requests);
    }
  });

  test('active seconds add up over takeovers', async () => {
    let clock = 0;
    const model = createScriptedModel([
      async () => {
        clock += 10_000;
        return write;
      },
    ]);
    const spent = { turns: 0, tokens: 0, activeMs: 35_000 };
    const end = await createAgent({ model, maxSeconds: 60, spent, now: () => clock }).run();
    expect(end).toMatchObject({
      kind: 'limit',
      limit: 'seconds',
      sentence: expect.stringContaining('the limit of 1 minute.'),
    });
    expect(model.requests).toHaveLength(3);
  });

  const faults: { name: string; fault: Fault }[] = [
    { name: 'sends a byte per second', fault: { kind: 'slow_drip', everyMs: 1_000 } },
    { name: 'stalls', fault: { kind: 'stall' } },
    { name: 'answers nothing at all', fault: { kind: 'hang' } },
    { name: 'sends only heartbeats', fault: { kind: 'heartbeats' } },
    { name: 'asks to wait', fault: { kind: 'status', status: 429, headers: { 'retry-after': '50' } } },
  ];

  test.concurrent.each(faults)(
    'a model server that $name is abandoned within five seconds of the limit',
    async ({ fault }) => {
      await using server = await startModelServer({ script: () => ({ text: 'a', fault }) });
      const model = createModel({ api: 'responses', apiKey: '', baseUrl: server.url, model: 'gpt-test' });
      const journal = createMemoryJournal([{ inputs: ['go'], answer: null, results: null }]);
      const startedAt = performance.now();
      expect(await createAgent({ model, journal, maxSeconds: 1 }).run()).toMatchObject({
        kind: 'limit',
        limit: 'seconds',
      });
      expect(performance.now() - startedAt).toBeLessThan(6_000);
      expect(server.requests).toHaveLength(1);
    },
  );

  test.each([
    { name: 'a tool that hangs and does not listen', answer: createAnswer({ calls: [['hang', {}]] }) },
    { name: 'a model that hangs and does not listen', answer: () => new Promise<never>(() => {}) },
  ])('$name ends within five seconds of the limit', async ({ answer }) => {
    const startedAt = performance.now();
    const end = await createAgent({ model: createScriptedModel([answer]), maxSeconds: 0.2 }).run();
    expect(end).toMatchObject({ kind: 'limit', limit: 'seconds' });
    expect(performance.now() - startedAt).toBeLessThan(7_000);
  });

  test('a thousand write calls in one answer stop at the limit, and every call gets a result', async () => {
    const calls = Array.from({ length: 1_000 }, (): [string, object] => ['write', {}]);
    const agent = createAgent({ model: createScriptedModel([createAnswer({ calls })]), maxChangedFiles: 20 });
    expect(await agent.run()).toMatchObject({ kind: 'limit', limit: 'files' });
    expect(agent.files()).toBe(21);
    const results = agent.journal.turns[0]?.results ?? [];
    expect(results.map(({ isError }) => isError)).toEqual(calls.map((_, index) => index >= 21));
  });

  test('tool output stops at the limit of one turn, and later calls do not run', async () => {
    let shown = 0;
    const show = createPlainTool('show', () => {
      shown += 1;
      return toolOk('a'.repeat(40_000));
    });
    const calls = [['finish', { summary: 'done' }], ...Array.from({ length: 250 }, () => ['show', {}])] as [
      string,
      object,
    ][];
    const agent = createAgent({ model: createScriptedModel([createAnswer({ calls }), finish]), tools: [show] });
    expect(await agent.run()).toMatchObject({ kind: 'finished' });
    expect(shown).toBe(11);
    const results = agent.journal.turns[0]?.results ?? [];
    expect(results).toHaveLength(251);
    expect(results.filter(({ isError }) => isError)).toHaveLength(240);
    expect(JSON.stringify(results).length).toBeLessThan(500_000);
  });

  test('a finish call before calls that the limit forbids still runs last', async () => {
    const writes = Array.from({ length: 9 }, (): [string, object] => ['write', {}]);
    const answer = createAnswer({ calls: [['finish', { summary: 'done' }], ...writes] });
    const agent = createAgent({ model: createScriptedModel([answer]), maxChangedFiles: 5 });
    expect(await agent.run()).toMatchObject({ kind: 'limit', limit: 'files' });
  });

  test('the last turn and the last tokens still run their tools and may finish', async () => {
    const turns = createAgent({ model: createScriptedModel([write, finish]), maxTurns: 2 });
    expect(await turns.run()).toMatchObject({ kind: 'finished' });
    const tokens = createAgent({ model: createScriptedModel([write, finish]), maxTokens: 150 });
    expect(await tokens.run()).toMatchObject({ kind: 'finished' });
  });
});

test('the model gets one warning near a limit, also across a takeover', async () => {
  const journal = createMemoryJournal();
  const model = createScriptedModel([...Array.from({ length: 12 }, () => write), finish]);
  const first = createAgent({ model, journal, maxTurns: 10 });
  expect(await first.run()).toMatchObject({ kind: 'limit' });
  const inputCounts = journal.turns.map(({ inputs }) => inputs.length);
  expect(inputCounts).toEqual([0, 0, 0, 0, 0, 0, 0, 0, 1, 0]);
  expect(journal.turns[8]?.inputs).toEqual([
    expect.stringMatching(/^This run has used most of its turns\. .* call finish soon/),
  ]);
  // Someone raised the limit a little: the line stands there already.
  await createAgent({ model, journal, maxTurns: 14, spent: { turns: 12, tokens: 0, activeMs: 0 } }).run();
  expect(journal.turns.flatMap(({ inputs }) => inputs)).toHaveLength(1);
});

test('a turn opened before a takeover counts once', async () => {
  const journal = createMemoryJournal([{ inputs: ['go'], answer: null, results: null }]);
  const agent = createAgent({
    model: createScriptedModel([finish]),
    journal,
    maxTurns: 1,
    spent: { turns: 1, tokens: 0, activeMs: 0 },
  });
  expect(await agent.run()).toMatchObject({ kind: 'finished' });
});
