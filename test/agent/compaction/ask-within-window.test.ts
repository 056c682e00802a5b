import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { z } from 'zod';
import { type Fault, type Script, steps } from '../../../local/model/script.ts';
import { type ModelServer, startModelServer } from '../../../local/model/start-model-server.ts';
import type { Compaction } from '../../../src/agent/compaction/ask-within-window.ts';
import { createModel } from '../../../src/agent/model/create-model.ts';
import { ModelRefusal } from '../../../src/agent/model/errors.ts';
import { createTool, toolOk } from '../../../src/agent/tool.ts';
import { catchError } from '../../support/values/catch-error.ts';
import { createMemoryJournal, type MemoryJournal } from '../memory-journal.ts';
import { runTestAgent } from '../run-test-agent.ts';

const read = createTool({
  name: 'read_file',
  description: 'Reads a file.',
  arguments: z.object({ path: z.string(), size: z.number() }),
  execute: ({ path, size }) => toolOk(`${path} ${'x'.repeat(size)}`),
});
const readStep = (turn: number, size: number) => ({
  text: `Page ${turn} is next.`,
  calls: [{ name: 'read_file', arguments: { path: `guides/${turn}.md`, size } }],
});
const finish = { calls: [{ name: 'finish', arguments: { summary: 'done' } }] };
/** Reads so many pages, of up to 12,000 characters. */
const reads =
  (count: number): Script =>
  ({ turn }) =>
    turn < count ? readStep(turn, (turn * 7919) % 12_000) : finish;

describe.each(['responses', 'chat'] as const)('a conversation by the %s protocol', (api) => {
  let server: ModelServer;
  const compactions: Compaction[] = [];
  const serve = async (script: Script, contextTokens: number) => {
    server = await startModelServer({ script, contextTokens });
  };
  beforeEach(() => {
    compactions.length = 0;
  });
  afterEach(() => server.stop());

  const run = (journal: MemoryJournal, contextTokens: number, signal = new AbortController().signal) =>
    runTestAgent({
      model: createModel({ api, apiKey: '', baseUrl: server.url, model: 'gpt-test', backoffMs: 1 }),
      tools: [read],
      journal,
      opening: journal.turns.length === 0 ? ['<message id="msg_1">Read all pages.</message>'] : [],
      contextTokens,
      onCompacted: (compaction) => compactions.push(compaction),
      signal,
    });
  const bodies = () => server.requests.map(({ body }) => JSON.stringify(body));
  const refused = () => server.requests.filter(({ turn }) => turn === null);

  test('60 turns end well in a window of 60,000 tokens, and the cache breaks once per compaction', async () => {
    await serve(reads(59), 60_000);
    const journal = createMemoryJournal();
    expect(await run(journal, 60_000)).toMatchObject({ kind: 'finished', summary: 'done' });
    expect(refused()).toEqual([]);
    expect(compactions.length).toBeGreaterThan(1);
    expect(compactions.length).toBeLessThan(6);
    const last = bodies().at(-1) ?? '';
    expect(last).toContain('Read all pages.');
    for (const turn of [0, 30, 58]) expect(last).toContain(`Page ${turn} is next.`);
    const usages = journal.turns.map(({ answer }) => answer?.usage);
    const breaks = usages.filter((usage, index) => (usage?.tokensCached ?? 0) < (usages[index - 1]?.tokensIn ?? 0));
    expect(breaks).toHaveLength(compactions.length);
  });

  test('a takeover right after a compaction sends the same input', async () => {
    const cut = new AbortController();
    const script: Script = (request) => {
      if (compactions.length > 0) cut.abort(new Error('the worker stops'));
      return reads(30)(request);
    };
    await serve(script, 20_000);
    const journal = createMemoryJournal();
    await catchError(run(journal, 20_000, cut.signal));
    const sent = bodies();
    expect(sent.at(-1)?.includes('removed to make room')).toBe(true);
    expect(journal.turns.filter(({ compactedFor }) => compactedFor != null).length).toBeGreaterThan(1);
    await run(createMemoryJournal(structuredClone(journal.turns)), 20_000);
    expect(bodies()[sent.length] === sent.at(-1)).toBe(true);
  });

  test('a window that is smaller than configured costs one refused request for each compaction', async () => {
    await serve(reads(20), 10_000);
    const journal = createMemoryJournal();
    expect(await run(journal, 200_000)).toMatchObject({ kind: 'finished' });
    expect(compactions.length).toBeGreaterThan(1);
    expect(refused()).toHaveLength(compactions.length);
  });

  test('what one turn alone brings may be too long: the run ends', async () => {
    await serve(steps([readStep(0, 1_000), readStep(1, 1_000), readStep(2, 50_000)]), 10_000);
    const error = await catchError(run(createMemoryJournal(), 200_000));
    expect(error).toBeInstanceOf(ModelRefusal);
    expect(error).toMatchObject({ reason: 'model_context' });
    expect(refused()).toHaveLength(2);
  });

  test('a server that refuses everything as too long is asked a few times, and the run ends', async () => {
    const full: Fault = { kind: 'status', status: 400, code: 'context_length_exceeded' };
    await serve((request) => (request.turn < 20 ? reads(30)(request) : { ...finish, fault: full }), 200_000);
    const error = await catchError(run(createMemoryJournal(), 200_000));
    expect(error).toMatchObject({ reason: 'model_context' });
    expect(server.requests.filter(({ turn }) => turn === 20)).toHaveLength(4);
  });

  test('a server that refuses with a bare 400 gets a shorter input', async () => {
    const bare: Fault = { kind: 'status', status: 400 };
    const script: Script = (request) =>
      request.turn === 10 && compactions.length === 0 ? { ...finish, fault: bare } : reads(12)(request);
    await serve(script, 100_000);
    expect(await run(createMemoryJournal(), 100_000)).toMatchObject({ kind: 'finished' });
    expect(compactions).toHaveLength(1);
  });

  test('the results of one answer together fill at most half of the window', async () => {
    const calls = Array.from({ length: 9 }, (_, index) => readStep(index, 8_000).calls).flat();
    await serve(steps([{ calls }, finish]), 16_000);
    const journal = createMemoryJournal();
    expect(await run(journal, 16_000)).toMatchObject({ kind: 'finished' });
    const results = journal.turns[0]?.results ?? [];
    expect(results.map(({ isError }) => isError)).toEqual([false, false, false, false, true, true, true, true, true]);
  });
});
