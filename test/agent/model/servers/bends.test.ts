import { expect, test } from 'vitest';
import { z } from 'zod';
import { compactTurn } from '../../../../src/agent/compaction/compact-turn.ts';
import { createModel } from '../../../../src/agent/model/create-model.ts';
import { createTool, toolOk } from '../../../../src/agent/tool.ts';
import { findFailedEnd } from '../../../../src/runs/failures.ts';
import { createMemoryJournal, type MemoryJournal } from '../../memory-journal.ts';
import { runTestAgent } from '../../run-test-agent.ts';
import { chatBends } from './chat-bends.ts';
import { type Answer, startDialectServer } from './dialect-server.ts';
import { responsesBends } from './responses-bends.ts';

type Api = 'chat' | 'responses';

/** Runs the whole agent against a server that answers so. */
async function runAgainst({
  api,
  answer,
  query = '',
  journal = createMemoryJournal(),
}: {
  api: Api;
  answer: Answer;
  query?: string;
  journal?: MemoryJournal;
}) {
  await using server = await startDialectServer(answer);
  const echoed: string[] = [];
  const echo = createTool({
    name: 'echo',
    description: 'Says it again.',
    arguments: z.object({ text: z.string() }),
    execute: ({ text }) => {
      echoed.push(text);
      return toolOk(`you said ${text}`);
    },
  });
  const end = await runTestAgent({
    model: createModel({
      api,
      apiKey: 'sk-secret-key-1',
      baseUrl: `${server.url}${query}`,
      model: 'gpt-test',
      backoffMs: 1,
      longestWaitMs: 1_000,
    }),
    tools: [echo],
    journal,
  }).catch((error: unknown) => findFailedEnd(error) ?? Promise.reject(error));
  return { end, echoed, asked: server.asked, turns: journal.turns };
}

const all = [
  ...chatBends.map((bend) => ({ api: 'chat' as const, ...bend })),
  ...responsesBends.map((bend) => ({ api: 'responses' as const, ...bend })),
].map((row) => ({ ...row, result: row.ends ? `ends ${row.ends.code} with the reason` : 'is right' }));

test.concurrent.each(all)('promise 41: $api: $bend: $result', async ({ api, answer, query, asked = 2, ends }) => {
  const met = await runAgainst({ api, answer, ...(query && { query }) });
  if (ends) {
    const sentence = expect.stringMatching(ends.words);
    expect(met.end).toEqual({ code: ends.code, sentence });
    expect(JSON.stringify(met.end)).not.toContain('secret-key');
    expect(met.asked.length).toBeLessThanOrEqual(2);
    return;
  }
  expect(met.end).toMatchObject({ kind: 'finished', summary: 'done' });
  expect(met.echoed).toEqual(['hi']);
  expect(met.asked).toHaveLength(asked);
  // What people read.
  expect(JSON.stringify(met.turns.map((turn) => turn.answer?.text))).not.toMatch(/think>|They want/);
});

const thinking = all.filter(({ bend }) => /must come back/.test(bend));

test.each(thinking)('promise 41: $api: $bend, after a restart and a compaction, too', async ({ api, answer }) => {
  const { turns } = await runAgainst({ api, answer });
  const [first] = turns;
  if (first === undefined) throw new Error('no turn');
  const long = {
    ...first,
    results: first.results?.map((result) => ({ ...result, output: 'x'.repeat(1_000) })) ?? null,
  };
  for (const turn of [first, compactTurn(long, 'results')]) {
    const met = await runAgainst({ api, answer, journal: createMemoryJournal([turn]) });
    expect(met.end).toMatchObject({ kind: 'finished', summary: 'done' });
    expect(met.asked).toHaveLength(1);
  }
});
