import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { eventually } from '../../harness/eventually.ts';
import { startInWorld } from '../../harness/start-service.ts';
import type { Fault } from '../../local/model/script.ts';
import { updateJob } from '../../src/store/tables/jobs/jobs.ts';
import { readRuns } from '../support/worlds/scenario.ts';
import { createWorld, type World } from '../support/worlds/world.ts';
import { settled } from './crash-points.ts';
import { readGitHub } from './github-state.ts';
import { countRepeats, followInstruction } from './instructed-model.ts';

/** Resolves when nobody holds the job and it is due later; gives in how many seconds. */
const parked = ({ database: { database } }: World, jobId: string) =>
  eventually(async () => {
    const job = await database
      .selectFrom('jobs')
      .select(['lease_owner', sql<number>`extract(epoch from due_at - now())::float8`.as('seconds')])
      .where('job_id', '=', jobId)
      .executeTakeFirstOrThrow();
    return job.lease_owner === null && job.seconds > 5 ? job.seconds : undefined;
  });

test.concurrent.each<[string, Fault, number, number]>([
  ['asks for two minutes', { kind: 'status', status: 429, headers: { 'retry-after': '120' } }, 120, 1],
  ['is down', { kind: 'status', status: 503 }, 60, 5],
])('promise 22: a run whose model server %s holds no slot, and later sends the same request', async (...given) => {
  const [, fault, seconds, tries] = given;
  await using world = await createWorld({
    script: (request) =>
      request.turn === 1 && isAbout(request.messages, 'Apricots') ? { fault } : followInstruction(request),
  });
  const { model, database } = world;
  await using service = await startInWorld(world, { WORKER_CONCURRENCY: '1' });
  const { caller } = service;
  const { id } = await caller.create('Apricots');
  const delay = await parked(world, id);
  expect(delay).toBeGreaterThan(seconds - 5);
  expect(delay).toBeLessThanOrEqual(seconds);
  const { id: other } = await caller.create('Bananas');
  expect(await settled(world, other)).toBe('completed');
  expect(await caller.get(id)).toMatchObject({ status: 'active' });

  model.setScript(followInstruction);
  await updateJob(database.database, id, { due_at: sql<Date>`now()` });
  expect(await settled(world, id)).toBe('completed');
  const { runs } = await readRuns(caller, id);
  expect(runs).toMatchObject([{ code: 'published', turns: 2 }]);
  const asked = model.requests.filter(({ body }) => JSON.stringify(body).includes('Apricots'));
  expect({ asked: asked.length, repeats: countRepeats(asked) }).toEqual({ asked: 2 + tries, repeats: tries });
  expect(service.lines.filter((line) => line.includes('"isTakeover":true'))).toEqual([]);
  expect(await readGitHub(world, id)).toMatchObject({ branches: 1, pullRequests: 1, commits: ['Apricots'] });
});

const isAbout = (messages: { text: string }[], instruction: string) =>
  messages.some(({ text }) => text.includes(instruction));
