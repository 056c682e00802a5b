import { expect, test } from 'vitest';
import { judgeEvents } from '../../harness/judge-events.ts';
import { addMessage } from '../../src/jobs/add-message.ts';
import { archiveJob, reopenJob } from '../../src/jobs/archive-job.ts';
import { cancelJob } from '../../src/jobs/cancel-job.ts';
import { endRun } from '../../src/jobs/end-run.ts';
import { inLease } from '../../src/store/schedule/lease.ts';
import { inTransaction } from '../../src/store/store.ts';
import { listEvents, recordEvents } from '../../src/store/tables/jobs/events.ts';
import { lockJob } from '../../src/store/tables/jobs/jobs.ts';
import { acceptJob, beginWork } from '../support/databases/jobs.ts';
import { setUpProject } from '../support/databases/set-up-project.ts';

const db = setUpProject();

const follow = (jobId: string) =>
  addMessage(db.store, {
    projectId: db.projectId,
    jobId,
    rateLimit: 0,
    source: 'api',
    author: 'ci',
    prompt: 'And this',
  });
const listTypes = async (jobId: string) =>
  (await listEvents(db.database, { jobId, after: 0, limit: 1_000 })).map(({ type }) => type);
const published = { outcome: 'completed', code: 'published', sentence: 'The pull request was opened.' } as const;

test('promise 33: the events of a job tell its story in order', async () => {
  const { job_id: jobId } = await acceptJob(db.store, db.projectId);
  const { lease, run } = await beginWork(db.store);
  await inLease(db.database, lease, (tx) => endRun({ tx, queue: db.store.queue }, run, published));
  await follow(jobId);
  await cancelJob(db.store, jobId);
  await inTransaction(db.store, (store) => archiveJob(store, jobId, 'closed'));
  await db.database.transaction().execute(async (tx) => reopenJob(tx, await lockJob(tx, jobId)));
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
