import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { createProject } from '../../harness/create-project.ts';
import { addMessage, maxWaitingMessages } from '../../src/jobs/add-message.ts';
import { createJob } from '../../src/jobs/create-job.ts';
import { createSilentLog } from '../../src/log.ts';
import { createDatabase } from '../../src/store/postgres/database.ts';
import type { Store } from '../../src/store/store.ts';
import { updateJob } from '../../src/store/tables/jobs/jobs.ts';
import { listMessages } from '../../src/store/tables/jobs/messages.ts';
import { markProjectRemoved, storeSettings } from '../../src/store/tables/repositories/projects.ts';
import { countWakeUps } from '../support/databases/count-wake-ups.ts';
import { createTestDatabase, type TestDatabase } from '../support/databases/database.ts';
import { acceptJob, beginWork, makeJob } from '../support/databases/jobs.ts';

let db: TestDatabase;
let repositoryId = 0;
let projectId: string;

beforeAll(async () => {
  db = await createTestDatabase();
});

beforeEach(async () => {
  await db.database.updateTable('jobs').set({ due_at: null }).execute();
  repositoryId += 1;
  ({ projectId } = await createProject(db.database, { repositoryId, repo: `docs-${repositoryId}` }));
});

afterAll(() => db[Symbol.asyncDispose]());

const silent = createSilentLog();
const request = (overrides: object = {}) => ({
  projectId,
  source: 'api' as const,
  prompt: 'Fix the typo',
  author: 'ci',
  base: null,
  model: null,
  models: ['gpt-5', 'gpt-5-mini'] as const,
  draft: false,
  rateLimit: 0,
  ...overrides,
});
const followUp = (jobId: string, overrides: object = {}) => ({
  projectId,
  jobId,
  source: 'api' as const,
  author: 'ci',
  prompt: 'And the other one',
  rateLimit: 0,
  ...overrides,
});
const jobsOf = () => db.database.selectFrom('jobs').selectAll().where('project_id', '=', projectId).execute();
const findUsed = async () =>
  (await db.database.selectFrom('rate_counters').selectAll().where('project_id', '=', projectId).executeTakeFirst())
    ?.used;
/** The queue is the last thing that a story asks: when it fails, everything before must be undone. */
const brokenStore = (): Store => ({
  ...db.store,
  queue: { ...db.store.queue, sendWakeUp: () => Promise.reject(new Error('the queue is broken')) },
});

describe('create-job', () => {
  test('promise 2: an accepted job is its counter, its row, its message and a wake-up', async () => {
    await using wakeUps = await countWakeUps(db.connection);
    const result = await createJob(db.store, request({ rateLimit: 5 }));
    expect(result).toMatchObject({ kind: 'accepted', job: { status: 'active', base: 'main', model: 'gpt-5' } });
    const [job] = await jobsOf();
    expect(job?.due_at).toBeInstanceOf(Date);
    expect(await listMessages(db.database, job?.job_id ?? '')).toMatchObject([
      { seq: 1, source: 'api', author: 'ci', prompt: 'Fix the typo', state: 'waiting' },
    ]);
    expect(await findUsed()).toBe(1);
    expect(await wakeUps.read()).toBe(1);
  });

  test('promise 2: a job that cannot be accepted completely leaves no row', async () => {
    await expect(createJob(brokenStore(), request({ rateLimit: 5 }))).rejects.toThrow('the queue is broken');
    expect(await jobsOf()).toEqual([]);
    expect(await findUsed()).toBeUndefined();
  });

  test('a job starts from the requested base', async () => {
    expect(await createJob(db.store, request({ base: 'v2', draft: true }))).toMatchObject({
      job: { base: 'v2', draft: true },
    });
  });

  const settings = { base: 'next', model: 'gpt-5-mini', draft: true };
  test.each<[string, object, object, object]>([
    ['nobody says anything', {}, {}, { base: 'main', model: 'gpt-5', draft: false }],
    ['the repository’s settings say', settings, {}, settings],
    [
      'the request says',
      settings,
      { base: 'v2', model: 'gpt-5', draft: false },
      { base: 'v2', model: 'gpt-5', draft: false },
    ],
    ['the settings want a model that is not to be had', { model: 'gpt-x' }, {}, { model: 'gpt-5' }],
  ])('base, model and draft are fixed as %s', async (_name, stored, asked, expected) => {
    await storeSettings(db.database, projectId, { settings: stored, problems: [] });
    const result = await createJob(db.store, request({ draft: null, ...asked }));
    expect(result).toMatchObject({ kind: 'accepted', job: expected });
  });

  test('promise 2: a job is accepted once when a pooler has lost the plans of its connection', async () => {
    await using database = createDatabase({ connection: db.connection, log: silent, max: 1 });
    const accept = () => createJob({ ...db.store, database }, request({ rateLimit: 5 }));
    await accept();
    await sql`deallocate all`.execute(database);
    expect(await accept()).toMatchObject({ kind: 'accepted' });
    expect([await jobsOf(), await findUsed()]).toEqual([[expect.anything(), expect.anything()], 2]);
  });

  test('a project without its repository accepts no jobs', async () => {
    await markProjectRemoved(db.database, projectId);
    expect(await createJob(db.store, request({ rateLimit: 5 }))).toEqual({ kind: 'project_gone' });
    expect(await findUsed()).toBeUndefined();
  });
});

describe('the rate limit', () => {
  test('parallel requests are accepted up to the limit exactly', async () => {
    const { job_id: jobId } = await acceptJob(db.store, projectId);
    const results = await Promise.all(
      Array.from({ length: 25 }, (_, index) =>
        index % 2 === 0
          ? createJob(db.store, request({ rateLimit: 10 }))
          : addMessage(db.store, followUp(jobId, { rateLimit: 10 })),
      ),
    );
    const accepted = results.filter(({ kind }) => kind === 'accepted');
    expect(accepted).toHaveLength(10);
    expect(results.filter(({ kind }) => kind === 'rate_limited')).toHaveLength(15);
    const left = accepted.map((result) => ('rate' in result ? result.rate?.remaining : undefined));
    expect(left.toSorted((a = 0, b = 0) => a - b)).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8, 9]);
    const messages = await db.database
      .selectFrom('messages')
      .innerJoin('jobs', 'jobs.job_id', 'messages.job_id')
      .select('message_id')
      .where('project_id', '=', projectId)
      .execute();
    expect(messages).toHaveLength(11);
  });

  test('a refused request says how long the hour lasts', async () => {
    await createJob(db.store, request({ rateLimit: 1 }));
    const refused = await createJob(db.store, request({ rateLimit: 1 }));
    if (refused.kind !== 'rate_limited') throw new Error('it was not refused');
    expect(refused.rate).toMatchObject({ limit: 1, remaining: 0, isAllowed: false });
    expect(refused.rate.resetSeconds).toBeGreaterThanOrEqual(1);
    expect(refused.rate.resetSeconds).toBeLessThanOrEqual(3600);
  });

  test('a new hour begins at zero', async () => {
    await createJob(db.store, request({ rateLimit: 1 }));
    await db.database
      .updateTable('rate_counters')
      .set({ window_start: sql<Date>`window_start - interval '1 hour'` })
      .where('project_id', '=', projectId)
      .execute();
    expect(await createJob(db.store, request({ rateLimit: 1 }))).toMatchObject({ kind: 'accepted' });
  });

  test('projects have separate limits', async () => {
    await createJob(db.store, request({ rateLimit: 1 }));
    const other = await createProject(db.database, { repositoryId: 10_000 + repositoryId, repo: 'other' });
    expect(await createJob(db.store, request({ ...other, rateLimit: 1 }))).toMatchObject({ kind: 'accepted' });
  });
});

describe('add-message', () => {
  test.each(['completed', 'failed'] as const)('a follow-up makes a %s job active and due', async (status) => {
    const { job_id: jobId } = await makeJob(db.store, projectId, status);
    await using wakeUps = await countWakeUps(db.connection);
    expect(await addMessage(db.store, followUp(jobId))).toMatchObject({ kind: 'accepted', job: { status: 'active' } });
    const [job] = await jobsOf();
    expect(job?.due_at?.getTime()).toBeLessThanOrEqual(Date.now() + 1000);
    expect(await wakeUps.read()).toBe(1);
  });

  test('promise 2: a follow-up that cannot be accepted completely changes nothing', async () => {
    const { job_id: jobId } = await makeJob(db.store, projectId, 'completed');
    await expect(addMessage(brokenStore(), followUp(jobId, { rateLimit: 5 }))).rejects.toThrow('the queue is broken');
    expect(await jobsOf()).toMatchObject([{ status: 'completed', due_at: null, next_seq: 2 }]);
    expect(await listMessages(db.database, jobId)).toEqual([]);
    expect(await findUsed()).toBeUndefined();
  });

  test('an archived job accepts no follow-up and does not count it', async () => {
    const { job_id: jobId } = await makeJob(db.store, projectId, 'archived');
    expect(await addMessage(db.store, followUp(jobId, { rateLimit: 5 }))).toEqual({ kind: 'archived' });
    expect(await findUsed()).toBeUndefined();
  });

  test('a job that waits for a rate limit continues to wait', async () => {
    const { job_id: jobId } = await acceptJob(db.store, projectId);
    const later = new Date(Date.now() + 600_000);
    await updateJob(db.database, jobId, { due_at: later });
    await addMessage(db.store, followUp(jobId));
    expect(await jobsOf()).toMatchObject([{ due_at: later }]);
  });

  test('the 21st waiting message is refused, and accepted once a run has taken the others', async () => {
    const { job_id: jobId } = await acceptJob(db.store, projectId);
    for (let count = 1; count < maxWaitingMessages; count += 1) await addMessage(db.store, followUp(jobId));
    expect(await addMessage(db.store, followUp(jobId, { rateLimit: 5 }))).toEqual({ kind: 'too_many_waiting' });
    expect(await findUsed()).toBeUndefined();
    await beginWork(db.store);
    expect(await addMessage(db.store, followUp(jobId))).toMatchObject({ kind: 'accepted' });
  });

  test('promise 15: parallel follow-ups are numbered without a gap', async () => {
    const { job_id: jobId } = await acceptJob(db.store, projectId);
    await Promise.all(Array.from({ length: 10 }, () => addMessage(db.store, followUp(jobId))));
    const messages = await listMessages(db.database, jobId);
    expect(messages.map(({ seq }) => seq)).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11]);
  });

  test('promise 15: two concurrent deliveries of a comment are one message', async () => {
    const { job_id: jobId } = await acceptJob(db.store, projectId);
    const comment = followUp(jobId, { source: 'comment', sourceKey: 'comment:77', rateLimit: 5 });
    const results = await Promise.all([addMessage(db.store, comment), addMessage(db.store, comment)]);
    expect(results.map(({ kind }) => kind)).toEqual(['accepted', 'accepted']);
    expect(await listMessages(db.database, jobId)).toHaveLength(2);
    expect(await findUsed()).toBe(1);
  });

  test("promise 15: a repeated comment is accepted again and changes nothing, whatever the job's status", async () => {
    const { job_id: jobId } = await acceptJob(db.store, projectId);
    const comment = followUp(jobId, { source: 'comment', sourceKey: 'comment:77', rateLimit: 5 });
    await addMessage(db.store, comment);
    const archived = { status: 'archived', archived_at: new Date(), due_at: null } as const;
    await updateJob(db.database, jobId, archived);
    await using wakeUps = await countWakeUps(db.connection);
    expect(await addMessage(db.store, comment)).toMatchObject({ kind: 'accepted', job: { status: 'archived' } });
    expect(await jobsOf()).toMatchObject([{ status: 'archived', due_at: null }]);
    expect(await wakeUps.read()).toBe(0);
    expect(await listMessages(db.database, jobId)).toHaveLength(2);
  });

  test('a project without its repository accepts no follow-up', async () => {
    const { job_id: jobId } = await acceptJob(db.store, projectId);
    await markProjectRemoved(db.database, projectId);
    expect(await addMessage(db.store, followUp(jobId))).toEqual({ kind: 'project_gone' });
  });
});
