// A database of an older version, as its processes left it, under a process of this one.
import { sql } from 'kysely';
import { expect, test, vi } from 'vitest';
import { z } from 'zod';
import { eventually } from '../../../harness/eventually.ts';
import { spawnService } from '../../../harness/processes/spawn-service.ts';
import { finish, write } from '../../../harness/script-steps.ts';
import type { Script } from '../../../local/model/script.ts';
import type { Database } from '../../../src/store/postgres/database.ts';
import { frozenSha, older, openOlderWorld } from './older/open-older-world.ts';

vi.setConfig({ testTimeout: 180_000 });

const requestShape = z.object({ prompt_cache_key: z.string() });

/** Writes the page that the newest instruction names, then finishes. */
const writePage: Script = ({ turn, messages }) => {
  const said = messages.map(({ text }) => text).join('\n');
  const instruction = [...said.matchAll(/<message[^>]*>(.*?)<\/message>/gs)].at(-1)?.[1] ?? 'nothing';
  if (turn === 0) return write(`${instruction.split(' ').at(-1)}.md`, `# Page\n\n${instruction}\n`);
  return finish(`Wrote: ${instruction}`, { title: instruction });
};

/** Rows that no later work may change, in the columns that the older version knew. */
async function readFinished(database: Database): Promise<unknown> {
  const { rows } = await sql`
    select run_id, job_id, number, outcome, code, sentence, commit_sha, publication::text, tokens_in, ended_at,
        (select json_agg(json_build_array(turn_index, inputs, answer, results) order by turn_index)
          from turns where turns.run_id = runs.run_id)::text as turns
      from runs where ended_at < (select min(received_at) from deliveries) order by run_id`.execute(database);
  const { rows: messages } = await sql`
    select message_id, job_id, seq, prompt, author, state, reason, run_id, turn_index from messages
      where state in ('answered', 'dropped') and created_at < (select min(received_at) from deliveries)
        and run_id in (select run_id from runs where ended_at < (select min(received_at) from deliveries))
      order by message_id`.execute(database);
  return { rows, messages };
}

/** Messages and runs of a job, oldest first: `Write page x: answered by run 1`. */
async function readStory(database: Database, jobId: string): Promise<string[]> {
  const { rows } = await sql<{ line: string }>`
    select prompt || ': ' || state || coalesce(' by run ' || number || ', ' || code, '') as line
      from messages left join runs using (run_id) where messages.job_id = ${jobId} order by seq`.execute(database);
  return rows.map(({ line }) => line);
}

async function readEvents(database: Database, jobId: string) {
  const { rows } = await sql<{ seq: number; type: string; next: number }>`
    select seq, type, next_event as next from events join jobs using (job_id) where job_id = ${jobId} order by seq`.execute(
    database,
  );
  return rows;
}

test('promise 27: this version finishes what a version before migration 0006 left open, once', async () => {
  await using world = await openOlderWorld({ script: writePage });
  const { database } = world.database;
  const finished = await readFinished(database);
  expect(finished).toMatchObject({ rows: { length: 4 }, messages: { length: 4 } });

  await using service = await spawnService(world);
  const { caller } = service;
  await caller.message(older.done, 'Write page more');
  await caller.message(older.failed, 'Write page again');
  const open = [older.done, older.failed, older.followed, older.broken, older.frozen, older.waiting];
  await eventually(async () => (await readStory(database, older.followed)).length === 3 || undefined);
  for (const jobId of open) await caller.settled(jobId);

  expect(await readFinished(database)).toEqual(finished);
  expect(await Promise.all(open.map((jobId) => readStory(database, jobId)))).toEqual([
    ['Write page done: answered by run 1, published', 'Write page more: answered by run 2, published'],
    ['Write page refuse: dropped by run 1, model_refused', 'Write page again: answered by run 2, published'],
    [
      'Write page follow: answered by run 1, published',
      'Write page followed: answered by run 2, published',
      expect.stringMatching(/^Write page commented: answered by run [23], published$/),
    ],
    ['Write page middle: answered by run 1, published', 'Write page beside: answered by run 2, published'],
    ['Write page frozen: answered by run 1, published'],
    ['Write page waiting: answered by run 1, published'],
  ]);
  expect(await caller.get(older.archived)).toMatchObject({ status: 'archived' });
  expect(await caller.runs(older.failed)).toMatchObject({ runs: [{ code: 'model_refused' }, { code: 'published' }] });

  // What the older version had of the model is used, and what it froze is published as it is.
  const asked = world.model.requests.map(({ body }) => requestShape.parse(body).prompt_cache_key);
  expect(asked.filter((jobId) => jobId === older.broken)).toHaveLength(3);
  expect(asked.filter((jobId) => jobId === older.frozen)).toHaveLength(0);
  const { data: pulls } = await world.pulls.list({ owner: 'acme', repo: 'docs', state: 'all' });
  const heads = pulls.map(({ head }) => head.ref.slice(-8));
  expect(heads.toSorted()).toEqual([...open, older.archived].map((jobId) => jobId.slice(-8)).toSorted());
  expect(pulls.map(({ head }) => head.sha)).toContain(frozenSha);
  expect(world.github.duplicates()).toEqual([]);

  for (const jobId of open) {
    const events = await readEvents(database, jobId);
    expect(events.map(({ seq }) => seq)).toEqual(events.map((_event, index) => index + 1));
    expect(events.at(-1)).toMatchObject({ type: 'job.completed', next: events.length + 1 });
  }
});
