import { type RawBuilder, sql } from 'kysely';
import pg from 'pg';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { createProject } from '../../harness/create-project.ts';
import { eventually } from '../../harness/eventually.ts';
import { ModelUnavailable } from '../../src/agent/model/errors.ts';
import type { ModelAnswer } from '../../src/agent/model/model.ts';
import { HandedOver, Parked, StopRequested } from '../../src/errors.ts';
import { GitHubUnavailable } from '../../src/github/refusals/errors.ts';
import { GitHubRefusal } from '../../src/github/refusals/github-refusal.ts';
import { addMessage } from '../../src/jobs/add-message.ts';
import { archiveJob } from '../../src/jobs/archive-job.ts';
import { cancelJob } from '../../src/jobs/cancel-job.ts';
import { endRun } from '../../src/jobs/end-run.ts';
import { createLog } from '../../src/log.ts';
import { beginRun } from '../../src/runs/execute-run.ts';
import { RunFailure } from '../../src/runs/failures.ts';
import { resolveFailure } from '../../src/runs/resolve-failure.ts';
import { ConnectionLost } from '../../src/store/postgres/availability.ts';
import type { Database } from '../../src/store/postgres/database.ts';
import { claimJob } from '../../src/store/schedule/claim-job.ts';
import { inLease } from '../../src/store/schedule/lease.ts';
import { inTransaction } from '../../src/store/store.ts';
import { updateJob } from '../../src/store/tables/jobs/jobs.ts';
import { listMessages } from '../../src/store/tables/jobs/messages.ts';
import { listRuns, updateRun } from '../../src/store/tables/jobs/runs.ts';
import { readWrites, storeWrites } from '../../src/store/tables/jobs/turns.ts';
import { listInstallations, upsertInstallation } from '../../src/store/tables/repositories/installations.ts';
import { createTestDatabase, type TestDatabase } from '../support/databases/database.ts';
import { acceptJob, beginWork } from '../support/databases/jobs.ts';
import { openJournal } from '../support/worlds/open-journal.ts';

let made: TestDatabase;
let projectId: string;
const { signal: gone } = new AbortController();
const lines: string[] = [];
const write = (line: string) => void lines.push(line);
const log = createLog({ level: 'info', redact: (line) => line, destination: { write } });

beforeAll(async () => {
  made = await createTestDatabase();
  ({ projectId } = await createProject(made.database));
});
afterAll(() => made[Symbol.asyncDispose]());
beforeEach(async () => {
  lines.length = 0;
  await made.database.updateTable('jobs').set({ due_at: null, lease_owner: null, lease_until: null }).execute();
});

/** A job whose run a worker holds. */
async function holdRun() {
  const { database, store } = made;
  const { job_id: jobId } = await acceptJob(store, projectId);
  const held = await beginWork(store);
  return {
    ...held,
    jobId,
    runId: held.run.run_id,
    settle: (error: unknown) => resolveFailure(error, { parts: store, signals: { gone }, log, ...held }),
    read: async () => (await listRuns(database, jobId))[0],
    /** In how many seconds the job is due; null: not at all. */
    async readDelay() {
      const due = sql<number | null>`extract(epoch from due_at - now())::float8`.as('seconds');
      const job = database.selectFrom('jobs').select(due).where('job_id', '=', jobId);
      return (await job.executeTakeFirstOrThrow()).seconds;
    },
  };
}

/** What the next worker does when the time has come. */
async function takeUp(jobId: string, { dueAt = sql<Date>`now()` }: { dueAt?: RawBuilder<Date> } = {}) {
  const { database, store } = made;
  await updateJob(database, jobId, { due_at: dueAt });
  const lease = await claimJob(database, 'the next worker');
  const begun = lease && (await beginRun(store, lease));
  if (!lease || begun?.kind !== 'begun') throw new Error('there was nothing to work on');
  const { run } = begun;
  return {
    run,
    settle: (error: unknown) => resolveFailure(error, { parts: store, lease, run, signals: { gone }, log }),
  };
}

const parked = () => new Parked(new Date(Date.now() + 60_000), 'the model server asked to wait');
const outage = () => new GitHubUnavailable('could not read: GitHub gave no usable answer');
const modelDown = () => new ModelUnavailable('it answered 503');
const ago = (interval: string) => sql<Date>`now() - ${interval}::interval`;

test.each([
  { stored: 0, held: 2, ends: { phase: 'working', takeovers: 1 } },
  { stored: 2, held: 0, ends: { phase: 'ended', code: 'internal', takeovers: 3 } },
])('a fault is counted on from what is stored ($stored), not from what the holder read ($held)', async (given) => {
  const { database, store } = made;
  const { lease, run, read } = await holdRun();
  await updateRun(database, run.run_id, { takeovers: given.stored });
  const stale = { ...run, takeovers: given.held };
  await resolveFailure(new TypeError('broken'), { parts: store, lease, run: stale, signals: { gone }, log });
  expect(await read()).toMatchObject(given.ends);
});

test('a fault is tried again after 5 s and after 30 s; the third without an answer between them ends the run', async () => {
  const { jobId, settle, read, readDelay } = await holdRun();
  await settle(new TypeError('broken'));
  expect(await readDelay()).toBeCloseTo(5, 0);
  await (await takeUp(jobId)).settle(new TypeError('broken'));
  expect(await readDelay()).toBeCloseTo(30, 0);
  await (await takeUp(jobId)).settle(new TypeError('broken'));
  expect(await read()).toMatchObject({ phase: 'ended', code: 'internal', takeovers: 3 });
});

test('promise 17: the end of a run waits for the database, and the outage does not count as a fault', async () => {
  const { jobId, settle, read } = await holdRun();
  await made.setReachable(false);
  const settling = settle(new ConnectionLost('the connection to the database was lost'));
  await eventually(() => lines.find((line) => line.includes('a run was interrupted')));
  await made.setReachable(true);
  await settling;
  expect(await read()).toMatchObject({ phase: 'working', takeovers: 0 });
  expect((await takeUp(jobId)).run).toMatchObject({ takeovers: 0 });
});

test('promise 17: the end of a run reconnects after a lost connection', async () => {
  const { database, store } = made;
  const { lease, run, jobId, readDelay } = await holdRun();
  const lost = { ...store, database: loseOnce(database) };
  await resolveFailure(new HandedOver('stopping'), { parts: lost, lease, run, signals: { gone }, log });
  expect(await readDelay()).toBeLessThanOrEqual(0);
  expect(await claimJob(database, 'the next worker')).toMatchObject({ jobId, isTakeover: false });
});

test.each([
  ['database that shuts down', Object.assign(new pg.DatabaseError('shutdown', 0, 'error'), { code: '57P01' })],
  ['connection that breaks', new ConnectionLost('the connection to the database was lost')],
])('promise 17: a repeated %s does not use up the attempts of a run', async (_name, error) => {
  const { jobId, settle, read } = await holdRun();
  await settle(error);
  for (let times = 1; times < 4; times += 1) await (await takeUp(jobId)).settle(error);
  expect(await read()).toMatchObject({ phase: 'working', takeovers: 0 });
});

test('promise 9: a fault during a database outage counts when the database is back', async () => {
  const { settle, read } = await holdRun();
  await made.setReachable(false);
  const settling = settle(new TypeError('broken'));
  await eventually(() => lines.find((line) => line.includes('a run met an unexpected error')));
  await made.setReachable(true);
  await settling;
  expect(await read()).toMatchObject({ phase: 'working', takeovers: 1 });
});

test('a run that GitHub does not answer waits half a minute, at any age', async () => {
  const { runId, settle, read, readDelay } = await holdRun();
  await updateRun(made.database, runId, { started_at: ago('30 days') });
  await settle(outage());
  expect(await read()).toMatchObject({ phase: 'working', takeovers: 0, waiting_since: expect.any(Date) });
  expect(await readDelay()).toBeCloseTo(30, 0);
});

test.each<[string, () => Error, string, string]>([
  ['for GitHub', outage, 'github_unavailable', 'GitHub did not answer for a day'],
  ['for the model server', parked, 'waited_too_long', 'the model server asked to wait'],
])(
  'promise 9: a run that has waited %s for more than a day ends, and says so',
  async (_name, thrown, code, sentence) => {
    const { jobId, runId, settle, read } = await holdRun();
    await settle(thrown());
    await updateRun(made.database, runId, { waiting_since: ago('23 hours') });
    await (await takeUp(jobId)).settle(thrown());
    expect(await read()).toMatchObject({ phase: 'working' });
    await updateRun(made.database, runId, { waiting_since: ago('25 hours') });
    await (await takeUp(jobId)).settle(thrown());
    expect(await read()).toMatchObject({ phase: 'ended', code, sentence: expect.stringContaining(sentence) });
  },
);

/** How long is too long. What a run waited before nobody took it up counts on, so that it ends some day all the same. */
const tooLong = {
  'its model server': { thrown: modelDown, counted: '62 minutes', code: 'model_unavailable' },
  GitHub: { thrown: outage, counted: '25 hours', code: 'github_unavailable' },
  'what it was parked for': { thrown: parked, counted: '25 hours', code: 'waited_too_long' },
};
describe.each(Object.entries(tooLong))('a run that waits for %s', (_name, { thrown, counted, code }) => {
  test.each([
    { counted: '1 minute', ends: { phase: 'working', code: null } },
    { counted, ends: { phase: 'ended', code } },
  ])(
    'promise 9: and that nobody takes up for three days after it has waited $counted is $ends.phase then',
    async (given) => {
      const { jobId, runId, settle, read } = await holdRun();
      await settle(thrown());
      const since = sql<Date>`now() - interval '3 days' - ${given.counted}::interval`;
      await updateRun(made.database, runId, { waiting_since: since, model_down_since: since });
      await (await takeUp(jobId, { dueAt: ago('3 days') })).settle(thrown());
      expect(await read()).toMatchObject(given.ends);
    },
  );
});

test('promise 22: hours without a model request do not count as an outage', async () => {
  const { jobId, runId, settle, readDelay } = await holdRun();
  await settle(modelDown());
  await updateRun(made.database, runId, { model_down_since: ago('4 hours 3 minutes') });
  await (await takeUp(jobId, { dueAt: ago('4 hours') })).settle(modelDown());
  expect(await readDelay()).toBeCloseTo(240, 0);
});

test('the duration of an attempt counts as waiting time', async () => {
  const { jobId, runId, settle, read } = await holdRun();
  await settle(modelDown());
  await updateRun(made.database, runId, { model_down_since: ago('61 minutes') });
  await (await takeUp(jobId, { dueAt: ago('16 minutes') })).settle(modelDown());
  expect(await read()).toMatchObject({ phase: 'ended', code: 'model_unavailable' });
});

test('an answer between two waits resets the waiting time', async () => {
  const { database } = made;
  const { lease, run, runId, settle, read } = await holdRun();
  const waited = { waiting_since: ago('25 hours'), model_down_since: ago('25 hours') };
  await updateRun(database, runId, { ...waited, takeovers: 2 });
  const journal = await openJournal(database, { lease, run });
  await journal.openTurn(0, []);
  await journal.saveAnswer(0, answer);
  expect(await read()).toMatchObject({ waiting_since: null, model_down_since: null });
  await settle(parked());
  expect(await read()).toMatchObject({ phase: 'working', takeovers: 0 });
});

test('promise 22: any free worker retries a model server that is down, after a minute and then less often', async () => {
  const { jobId, runId, settle, read, readDelay } = await holdRun();
  await settle(modelDown());
  expect(await readDelay()).toBeCloseTo(60, 0);
  expect(await read()).toMatchObject({ phase: 'working', takeovers: 0, active_ms: 0, turns: 0 });
  expect(lines.filter((line) => line.includes('the model server gave no usable answer'))).toHaveLength(1);
  await updateRun(made.database, runId, { model_down_since: ago('3 minutes') });
  await (await takeUp(jobId)).settle(modelDown());
  expect(await readDelay()).toBeCloseTo(240, 0);
  expect(await read()).toMatchObject({ phase: 'working', takeovers: 0 });
});

test('promise 9: a run ends with a sentence after its model server is down for an hour', async () => {
  const { jobId, runId, settle, read } = await holdRun();
  await settle(modelDown());
  await updateRun(made.database, runId, { model_down_since: ago('61 minutes'), waiting_since: ago('61 minutes') });
  await (await takeUp(jobId)).settle(modelDown());
  const sentence = expect.stringContaining('for an hour (it answered 503)');
  expect(await read()).toMatchObject({ phase: 'ended', code: 'model_unavailable', sentence });
});

test('other waits do not count as an outage of the model server', async () => {
  const { jobId, runId, settle, read, readDelay } = await holdRun();
  await settle(outage());
  await updateRun(made.database, runId, { waiting_since: ago('2 hours') });
  await (await takeUp(jobId)).settle(modelDown());
  expect(await readDelay()).toBeCloseTo(60, 0);
  await updateRun(made.database, runId, { model_down_since: ago('50 minutes') });
  await (await takeUp(jobId)).settle(outage());
  await (await takeUp(jobId)).settle(modelDown());
  expect(await readDelay()).toBeCloseTo(60, 0);
  // All the same nothing is waited for for more than a day, whatever it is.
  await updateRun(made.database, runId, { waiting_since: ago('25 hours') });
  await (await takeUp(jobId)).settle(modelDown());
  expect(await read()).toMatchObject({ phase: 'ended', code: 'waited_too_long' });
});

test('a cancelled run ends at once while it waits for its model server', async () => {
  const { jobId, settle, read, readDelay } = await holdRun();
  await settle(modelDown());
  await cancelJob(made.store, jobId);
  expect(await read()).toMatchObject({ phase: 'ended', code: 'cancelled' });
  expect(await readDelay()).toBeNull();
});

test('a run waits until its installation is unsuspended', async () => {
  const { database } = made;
  const { jobId, settle, read } = await holdRun();
  await settle(new GitHubRefusal({ reason: 'installation_suspended' }));
  expect(await read()).toMatchObject({ phase: 'working', takeovers: 0 });
  expect(await claimJob(database, 'the next worker')).toBeUndefined();
  const [{ installation_id: installationId } = { installation_id: 0 }] = await listInstallations(database);
  await upsertInstallation(database, { installationId, account: 'acme', suspendedAt: null });
  expect(await claimJob(database, 'the next worker')).toMatchObject({ jobId, isTakeover: false });
});

test('a message after a stop is for the next run, also before the worker notices the stop', async () => {
  const { database, store } = made;
  const { jobId, lease, run, runId, settle } = await holdRun();
  const journal = await openJournal(database, { lease, run });
  await journal.openTurn(0, []);
  await cancelJob(store, jobId);
  await addMessage(store, { projectId, jobId, source: 'api', author: 'ci', prompt: 'This instead', rateLimit: 0 });
  await journal.saveAnswer(0, answer);
  const stopped = await journal.openTurn(1, []).catch((error: unknown) => error);
  expect(stopped).toBeInstanceOf(StopRequested);
  await settle(stopped);

  const next = await takeUp(jobId);
  expect((await listRuns(database, jobId)).map(({ phase, code }) => [phase, code])).toEqual([
    ['ended', 'cancelled'],
    ['working', null],
  ]);
  const messages = await listMessages(database, jobId);
  expect(messages.map((message) => [message.prompt, message.state, message.run_id])).toEqual([
    ['Fix the typo', 'dropped', runId],
    ['This instead', 'taken', next.run.run_id],
  ]);
});

test.each<[string, (held: Awaited<ReturnType<typeof holdRun>>) => Promise<unknown>]>([
  ['failed', ({ settle }) => settle(new RunFailure('conflict', 'Somebody keeps pushing.'))],
  [
    'completed',
    ({ lease, run }) => inLease(made.database, lease, (tx) => endRun({ tx, queue: made.store.queue }, run, published)),
  ],
  ['archived', ({ jobId }) => inTransaction(made.store, (store) => archiveJob(store, jobId, 'merged'))],
])('a run’s writes are deleted when it ends: %s', async (_name, end) => {
  const { database } = made;
  const held = await holdRun();
  await storeWrites(database, held.runId, { stored: new Map(), writes: new Map([['limits.md', Buffer.from('100')]]) });
  expect((await readWrites(database, held.runId)).size).toBe(1);
  await end(held);
  expect(await held.read()).toMatchObject({ phase: 'ended' });
  expect((await readWrites(database, held.runId)).size).toBe(0);
});

/** The same database, where the first update loses its connection. */
function loseOnce(database: Database): Database {
  let isLost = false;
  return database.withPlugin({
    transformQuery({ node }) {
      if (isLost || node.kind !== 'UpdateQueryNode') return node;
      isLost = true;
      throw new ConnectionLost('the connection to the database was lost');
    },
    transformResult: async ({ result }) => result,
  });
}

const published = { outcome: 'completed', code: 'published', sentence: 'It was published.' } as const;
const usage = { tokensIn: 1, tokensOut: 1, tokensCached: 0 };
const answer: ModelAnswer = { text: 'On it.', toolCalls: [], items: [], usage, stop: 'end' };
