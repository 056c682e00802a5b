import { expect, test } from 'vitest';
import { addMessage } from '../../src/jobs/add-message.ts';
import { archiveJob, archiveReasons } from '../../src/jobs/archive-job.ts';
import { cancelJob, cancelled } from '../../src/jobs/cancel-job.ts';
import { failRun } from '../../src/jobs/end-run.ts';
import { inLease } from '../../src/store/schedule/lease.ts';
import type { Queue } from '../../src/store/schedule/queue.ts';
import { inTransaction, type Store } from '../../src/store/store.ts';
import type { Thread } from '../../src/store/tables/columns.ts';
import { listEffects } from '../../src/store/tables/jobs/effects.ts';
import { updateJob } from '../../src/store/tables/jobs/jobs.ts';
import { countWaitingMessages } from '../../src/store/tables/jobs/messages.ts';
import { listRuns, updateRun } from '../../src/store/tables/jobs/runs.ts';
import { acceptJob, beginWork, makeJob } from '../support/databases/jobs.ts';
import { setUpProject } from '../support/databases/set-up-project.ts';

const db = setUpProject();

const end = { code: 'conflict', sentence: 'Somebody keeps pushing.' };
/** What is promised to be said on the pull request, with what was put up for the queue. */
async function listAnswers(jobId: string, sent: string[]) {
  const effects = await listEffects(db.database, jobId);
  const bodies = effects.map(({ key, state, request }) => [key.replace(/^run_[^:]+/, 'run'), state, request]);
  expect(sent).toEqual(effects.map(({ key }) => key));
  return bodies;
}

/** A review of one remark. */
const addReview = (jobId: string, thread: Thread) =>
  addMessage(db.store, {
    projectId: db.projectId,
    jobId,
    source: 'review',
    sourceKey: `review:${thread.rootId}`,
    author: 'rita',
    context: { person: { login: 'rita', userId: 5 }, review: { body: '', threads: [thread] } },
    prompt: 'a.md:1: Why?',
    rateLimit: 0,
  });

let lastRootId = 100;
/** A job on a pull request with a message by the API and one that is a remark in a review, both waiting. */
async function ask({ hasPullRequest = true } = {}) {
  const { job_id: jobId } = await acceptJob(db.store, db.projectId);
  lastRootId += 2;
  const thread = { rootId: lastRootId, path: 'a.md', line: 1, excerpt: '', quoted: null, text: 'Why?' };
  await updateJob(db.database, jobId, { pull_request_number: hasPullRequest ? lastRootId + 1 : null });
  await addReview(jobId, thread);
  const sent: string[] = [];
  const send: Queue['send'] = async (tx, name, entry) =>
    name === 'answer' && 'key' in entry ? void sent.push(entry.key) : db.store.queue.send(tx, name, entry);
  return { jobId, thread, sent, store: { ...db.store, queue: { ...db.store.queue, send } } };
}

test.each<[string, string, (jobId: string, store: Store) => Promise<unknown>]>([
  [
    'fails',
    end.sentence,
    async (jobId, { queue }) => {
      const { lease, run } = await beginWork(db.store);
      expect(lease.jobId).toBe(jobId);
      return inLease(db.database, lease, (tx) => failRun({ tx, queue }, run, end));
    },
  ],
  ['is cancelled before it began', cancelled.sentence, (jobId, store) => cancelJob(store, jobId)],
  [
    'is cancelled after its worker was lost',
    cancelled.sentence,
    async (jobId, store) => {
      await beginWork(db.store);
      await updateJob(db.database, jobId, { lease_until: new Date(Date.now() - 1000) });
      return cancelJob(store, jobId);
    },
  ],
  [
    'is archived with messages that wait',
    archiveReasons.merged,
    (jobId, store) => inTransaction(store, (storeTx) => archiveJob(storeTx, jobId, 'merged')),
  ],
  [
    'is archived while a worker is at it',
    archiveReasons.closed,
    async (jobId, store) => {
      await beginWork(db.store);
      return inTransaction(store, (storeTx) => archiveJob(storeTx, jobId, 'closed'));
    },
  ],
])('the people at the pull request are told, once and by thread, of a run that %s', async (_name, sentence, stop) => {
  const { jobId, store, sent, thread } = await ask();
  await stop(jobId, store);
  expect(await listAnswers(jobId, sent)).toEqual([
    ['run:comment', 'intended', { kind: 'comment', pullRequest: thread.rootId + 1, body: sentence }],
    [
      `run:reply:${thread.rootId}`,
      'intended',
      {
        kind: 'reply',
        pullRequest: thread.rootId + 1,
        rootId: thread.rootId,
        body: `The agent did not answer this comment. ${sentence}`,
      },
    ],
  ]);
});

test('a failure gets no answer without a pull request or access to the repository', async () => {
  const none = await ask({ hasPullRequest: false });
  await cancelJob(none.store, none.jobId);
  expect(await listAnswers(none.jobId, none.sent)).toEqual([]);
  const gone = await ask();
  await inTransaction(gone.store, (store) => archiveJob(store, gone.jobId, 'repository_gone'));
  expect(await listAnswers(gone.jobId, gone.sent)).toEqual([]);
});

test('archiving without waiting messages posts nothing', async () => {
  const { job_id: jobId } = await makeJob(db.store, db.projectId, 'completed');
  await updateJob(db.database, jobId, { pull_request_number: 9_999 });
  await inTransaction(db.store, (store) => archiveJob(store, jobId, 'merged'));
  expect(await listEffects(db.database, jobId)).toEqual([]);
  expect(await listRuns(db.database, jobId)).toEqual([]);
});

test('a stop of a publishing run answers only the dropped messages', async () => {
  const { jobId, store, sent, thread } = await ask();
  const { run } = await beginWork(db.store);
  await updateRun(db.database, run.run_id, { phase: 'publishing' });
  await cancelJob(store, jobId);
  expect(await listAnswers(jobId, sent)).toEqual([]);
  const { projectId } = db;
  await addMessage(db.store, { projectId, jobId, source: 'api', author: 'ci', prompt: 'And this', rateLimit: 0 });
  await cancelJob(store, jobId);
  const stopped = 'Stopped on request. Pagewright finishes publishing the current changes';
  expect(await listAnswers(jobId, sent)).toEqual([
    [
      expect.stringMatching(/^run:stopped:msg_\w+:comment$/),
      'intended',
      { kind: 'comment', pullRequest: thread.rootId + 1, body: expect.stringContaining(stopped) },
    ],
  ]);
});

test('a message that a stop dropped behind a publishing run gets no second answer when that run fails', async () => {
  const { jobId, store, sent, thread } = await ask();
  const { lease, run } = await beginWork(db.store);
  await updateRun(db.database, run.run_id, { phase: 'publishing' });
  const later = { ...thread, rootId: thread.rootId + 1_000 };
  await addReview(jobId, later);
  await cancelJob(store, jobId);
  await inLease(db.database, lease, (tx) => failRun({ tx, queue: store.queue }, run, end));
  expect(sent.filter((key) => key.includes(':reply:'))).toEqual([
    expect.stringMatching(new RegExp(`:stopped:msg_\\w+:reply:${later.rootId}$`)),
    `${run.run_id}:reply:${thread.rootId}`,
  ]);
});

test('promise 2: a run does not end if its answer cannot be queued', async () => {
  const { jobId, store } = await ask();
  const send = () => Promise.reject(new Error('the queue is broken'));
  const broken = { ...store, queue: { ...store.queue, send } };
  await expect(cancelJob(broken, jobId)).rejects.toThrow('the queue is broken');
  expect(await listRuns(db.database, jobId)).toEqual([]);
  expect(await countWaitingMessages(db.database, jobId)).toBe(2);
});
