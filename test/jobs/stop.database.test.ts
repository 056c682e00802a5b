import { describe, expect, test } from 'vitest';
import { judgeEvents } from '../../harness/judge-events.ts';
import { LeaseLost } from '../../src/errors.ts';
import { addMessage } from '../../src/jobs/add-message.ts';
import { archiveJob, archiveReasons, reopenJob } from '../../src/jobs/archive-job.ts';
import { cancelJob } from '../../src/jobs/cancel-job.ts';
import { endRun } from '../../src/jobs/end-run.ts';
import { claimJob } from '../../src/store/schedule/claim-job.ts';
import { inLease, renewLease } from '../../src/store/schedule/lease.ts';
import { inTransaction } from '../../src/store/store.ts';
import type { ArchiveReason, JobStatus } from '../../src/store/tables/columns.ts';
import { listEvents, recordEvents } from '../../src/store/tables/jobs/events.ts';
import { lockJob, updateJob } from '../../src/store/tables/jobs/jobs.ts';
import { listMessages } from '../../src/store/tables/jobs/messages.ts';
import { findOpenRun, listRuns, type RunEnd, updateRun } from '../../src/store/tables/jobs/runs.ts';
import { acceptJob, beginWork, makeJob } from '../support/databases/jobs.ts';
import { setUpProject } from '../support/databases/set-up-project.ts';

const db = setUpProject();

const archive = (jobId: string, reason: ArchiveReason = 'merged') =>
  inTransaction(db.store, (store) => archiveJob(store, jobId, reason));
const reopen = (jobId: string) =>
  db.database.transaction().execute(async (tx) => reopenJob(tx, await lockJob(tx, jobId)));
const follow = (jobId: string) => {
  const { store, projectId } = db;
  return addMessage(store, { projectId, jobId, source: 'api', author: 'ci', prompt: 'And this', rateLimit: 0 });
};
const readMessages = async (jobId: string) =>
  (await listMessages(db.database, jobId)).map(({ state, reason }) => [state, reason]);
/** A job whose first run a worker has begun. */
async function work() {
  const { job_id: jobId } = await acceptJob(db.store, db.projectId);
  const { lease, run } = await beginWork(db.store);
  const end = (how: RunEnd) => inLease(db.database, lease, (tx) => endRun({ tx, queue: db.store.queue }, run, how));
  return { jobId, lease, run, end };
}
const cancelled = { outcome: 'failed', code: 'cancelled', sentence: 'Cancelled.' } as const;
const published = { outcome: 'completed', code: 'published', sentence: 'The pull request was opened.' } as const;

describe('cancel-job', () => {
  test('an idle job fails at once, with a run that says why', async () => {
    const { job_id: jobId } = await acceptJob(db.store, db.projectId);
    expect(await cancelJob(db.store, jobId)).toMatchObject({ status: 'failed', due_at: null });
    expect(await listRuns(db.database, jobId)).toMatchObject([{ phase: 'ended', code: 'cancelled', number: 1 }]);
    expect(await readMessages(jobId)).toEqual([['dropped', 'cancelled']]);
    expect(await claimJob(db.database, 'worker-1')).toBeUndefined();
  });

  test('a live run is signalled and ends itself', async () => {
    const { jobId, lease, end } = await work();
    expect(await cancelJob(db.store, jobId)).toMatchObject({ status: 'active' });
    expect(await renewLease(db.database, lease)).toEqual({ kind: 'held', stopRequested: true });
    expect(await end(cancelled)).toMatchObject({
      status: 'failed',
    });
    expect(await readMessages(jobId)).toEqual([['dropped', 'cancelled']]);
  });

  test('a message after the cancel is answered by the next run', async () => {
    const { jobId, end } = await work();
    await follow(jobId);
    await cancelJob(db.store, jobId);
    await follow(jobId);
    const job = await end(cancelled);
    expect(job.status).toBe('active');
    expect(job.due_at).toBeInstanceOf(Date);
    expect(await readMessages(jobId)).toEqual([
      ['dropped', 'cancelled'],
      ['dropped', 'cancelled'],
      ['waiting', null],
    ]);
  });

  test('a publishing run continues', async () => {
    const { jobId, lease, run, end } = await work();
    await updateRun(db.database, run.run_id, { phase: 'publishing' });
    expect(await cancelJob(db.store, jobId)).toMatchObject({ status: 'active' });
    expect(await renewLease(db.database, lease)).toEqual({ kind: 'held', stopRequested: false });
    expect(await end(published)).toMatchObject({
      status: 'completed',
    });
  });

  test('a run without its worker is ended, and a returning worker is fenced off', async () => {
    const { jobId, lease } = await work();
    await updateJob(db.database, jobId, { lease_until: new Date(Date.now() - 1000) });
    expect(await cancelJob(db.store, jobId)).toMatchObject({ status: 'failed' });
    expect(await findOpenRun(db.database, jobId)).toBeUndefined();
    await expect(inLease(db.database, lease, async () => {})).rejects.toBeInstanceOf(LeaseLost);
  });

  test.each<JobStatus>(['completed', 'failed', 'archived'])('a %s job stays as it is', async (status) => {
    const { job_id: jobId } = await makeJob(db.store, db.projectId, status);
    expect(await cancelJob(db.store, jobId)).toMatchObject({ status });
    expect(await listRuns(db.database, jobId)).toEqual([]);
  });

  test('promise 3: a concurrent cancel and claim are serialized', async () => {
    for (let round = 0; round < 20; round += 1) {
      const { job_id: jobId } = await acceptJob(db.store, db.projectId);
      const [job, lease] = await Promise.all([cancelJob(db.store, jobId), claimJob(db.database, 'worker-1')]);
      expect(job.status).toBe('failed');
      if (lease) await expect(inLease(db.database, lease, async () => {})).rejects.toBeInstanceOf(LeaseLost);
      const runs = await listRuns(db.database, jobId);
      expect(runs).toMatchObject([{ phase: 'ended', code: 'cancelled' }]);
    }
  });
});

describe('archive-job', () => {
  test.each<JobStatus>(['active', 'completed', 'failed'])(
    'a %s job is archived, and its messages dropped',
    async (status) => {
      const { job_id: jobId } = await makeJob(db.store, db.projectId, status);
      expect(await archive(jobId)).toMatchObject({ status: 'archived', due_at: null, archived_at: expect.any(Date) });
      expect((await readMessages(jobId)).every(([state]) => state === 'dropped')).toBe(true);
    },
  );

  test('archiving twice keeps the first time', async () => {
    const { job_id: jobId } = await acceptJob(db.store, db.projectId);
    const first = await archive(jobId);
    expect(await archive(jobId, 'closed')).toEqual(first);
    expect(first.archive_reason).toBe('merged');
  });

  test('promise 14: archiving ends a live run and fences off its worker', async () => {
    const { jobId, lease, end } = await work();
    await follow(jobId);
    await archive(jobId);
    expect(await renewLease(db.database, lease)).toEqual({ kind: 'lost' });
    await expect(end(published)).rejects.toBeInstanceOf(LeaseLost);
    expect(await listRuns(db.database, jobId)).toMatchObject([{ code: 'archived', sentence: archiveReasons.merged }]);
    expect(await readMessages(jobId)).toEqual([
      ['dropped', 'archived'],
      ['dropped', 'archived'],
    ]);
  });

  test('promise 14: a concurrent archive and run end leave one end', async () => {
    for (let round = 0; round < 20; round += 1) {
      const run = await work();
      const ended = run.end(published).catch((error: unknown) => error);
      const [end] = await Promise.all([ended, archive(run.jobId)]);
      const isArchivedFirst = end instanceof LeaseLost;
      expect(await listRuns(db.database, run.jobId)).toMatchObject([
        { code: isArchivedFirst ? 'archived' : 'published' },
      ]);
      expect(await archive(run.jobId)).toMatchObject({ status: 'archived' });
    }
  });
});

describe('reopen-job', () => {
  test('a reopened job accepts messages again', async () => {
    const { job_id: jobId } = await makeJob(db.store, db.projectId, 'archived');
    expect(await reopen(jobId)).toMatchObject({ status: 'completed', archived_at: null, archive_reason: null });
    expect(await follow(jobId)).toMatchObject({ kind: 'accepted', job: { status: 'active' } });
  });

  test.each<JobStatus>(['active', 'completed', 'failed'])('a %s job stays as it is', async (status) => {
    const job = await makeJob(db.store, db.projectId, status);
    expect(await reopen(job.job_id)).toEqual(job);
  });
});

describe('end-run', () => {
  test('the messages of a completed run are answered, and the job is idle', async () => {
    const { jobId, end } = await work();
    const job = await end({ ...published, commitSha: 'abc' });
    expect(job).toMatchObject({ status: 'completed', due_at: null, lease_owner: null, lease_until: null });
    expect(await readMessages(jobId)).toEqual([['answered', null]]);
    expect(await listRuns(db.database, jobId)).toMatchObject([
      { phase: 'ended', code: 'published', commit_sha: 'abc' },
    ]);
  });

  test('promise 15: a message during the run makes the job due again', async () => {
    const { jobId, lease, end } = await work();
    await follow(jobId);
    const job = await end(published);
    expect(job.status).toBe('active');
    const next = await beginWork(db.store, 'worker-2');
    expect(next.lease).toMatchObject({ jobId, epoch: lease.epoch + 1, isTakeover: false });
    expect(await readMessages(jobId)).toEqual([
      ['answered', null],
      ['taken', null],
    ]);
  });

  test('promise 15: a message that arrives while the run ends is never left waiting', async () => {
    for (let round = 0; round < 20; round += 1) {
      const { jobId, end } = await work();
      await Promise.all([end(published), follow(jobId)]);
      expect(await claimJob(db.database, 'worker-2')).toMatchObject({ jobId });
      await db.database.updateTable('jobs').set({ due_at: null }).execute();
    }
  });
});

const listTypes = async (jobId: string) =>
  (await listEvents(db.database, { jobId, after: 0, limit: 1_000 })).map(({ type }) => type);

test('promise 33: the events of a job tell its story in order', async () => {
  const { jobId, end } = await work();
  await end(published);
  await follow(jobId);
  await cancelJob(db.store, jobId);
  await archive(jobId, 'closed');
  await reopen(jobId);
  expect(await listTypes(jobId)).toEqual([
    ...['job.created', 'message.accepted', 'run.started', 'run.ended', 'job.completed'],
    ...['message.accepted', 'run.started', 'run.ended', 'job.failed', 'job.archived', 'job.unarchived'],
  ]);
  expect(await judgeEvents(db.database, jobId)).toEqual([]);
});

test('promise 33: concurrent transactions leave no gap, and a rolled back one no event', async () => {
  const { job_id: jobId } = await acceptJob(db.store, db.projectId);
  const archived = { type: 'job.unarchived', data: {} } as const;
  const record = async (index: number) =>
    db.database.transaction().execute(async (tx) => {
      await recordEvents(tx, jobId, [archived, archived]);
      if (index % 3 === 0) throw new Error('rolled back');
    });
  await Promise.allSettled(Array.from({ length: 30 }, (_item, index) => record(index)));
  const events = await listEvents(db.database, { jobId, after: 0, limit: 1_000 });
  expect(events.map(({ seq }) => seq)).toEqual(Array.from({ length: 42 }, (_item, index) => index + 1));
  const times = events.map(({ at }) => at.getTime());
  expect(times).toEqual(times.toSorted((a, b) => a - b));
});
