import { expect, test } from 'vitest';
import { judgeJob, type Said } from '../../harness/judge-job.ts';
import { addMessage } from '../../src/jobs/add-message.ts';
import { acceptJob, beginWork } from '../support/databases/jobs.ts';
import { setUpProject } from '../support/databases/set-up-project.ts';

const made = setUpProject();

const context = {
  person: { login: 'rita', userId: 11 },
  review: { body: 'Look.', threads: [{ rootId: 5, path: 'docs/a.md', line: 1, text: 'Shorter.' }] },
};

/** A job whose message asked on GitHub, in a thread, and ended in this state. */
async function endMessage(state: 'answered' | 'dropped', reason: string | null = null) {
  const { job_id: jobId } = await acceptJob(made.store, made.projectId);
  const { run } = await beginWork(made.store);
  await made.database
    .updateTable('messages')
    .set({ state, reason, source_key: 'comment:1', context: JSON.stringify(context) })
    .where('job_id', '=', jobId)
    .execute();
  const marker = (what: string) => `<!-- pagewright:${run.run_id}:${what} -->`;
  return { jobId, runId: run.run_id, marker };
}

const judge = async (jobId: string, said: readonly Said[]) =>
  (await judgeJob(made.database, jobId, said)).filter(({ promise }) => promise === 15).map(({ text }) => text);

test('a message that nobody took, and one that was dropped without a reason, are faults', async () => {
  const { job_id: waiting } = await acceptJob(made.store, made.projectId);
  expect(await judge(waiting, [])).toEqual([expect.stringMatching(/^msg_\w+ is waiting$/)]);
  await made.database.updateTable('jobs').set({ due_at: null }).execute();
  const { jobId, marker } = await endMessage('dropped');
  const said = [
    { body: marker('comment'), thread: null },
    { body: marker('reply:5'), thread: 5 },
  ];
  expect(await judge(jobId, said)).toEqual([expect.stringMatching(/^msg_\w+ is dropped$/)]);
});

test('an answer that is missing on GitHub is a fault, in the conversation and in the thread', async () => {
  const { jobId, marker } = await endMessage('answered');
  expect(await judge(jobId, [])).toEqual([
    'comment:1 is not answered on GitHub',
    'comment:1 is not answered in the thread 5',
  ]);
  const said = [
    { body: `Done. ${marker('comment')}`, thread: null },
    { body: marker('reply:5'), thread: 5 },
  ];
  expect(await judge(jobId, said)).toEqual([]);
});

test('a dropped thread that is said to be taken up is a fault', async () => {
  const { jobId, marker } = await endMessage('dropped', 'archived');
  const said = [
    { body: marker('comment'), thread: null },
    { body: `Taken up. ${marker('reply:5')}`, thread: 5 },
  ];
  expect(await judge(jobId, said)).toEqual(['the thread 5 was dropped and is said to be taken up']);
});

test('messages that were taken in another order than they came are a fault', async () => {
  const { jobId, runId } = await endMessage('answered');
  await made.database
    .updateTable('messages')
    .set({ context: null, turn_index: 2 })
    .where('run_id', '=', runId)
    .execute();
  await addMessage(made.store, {
    projectId: made.projectId,
    jobId,
    source: 'api',
    prompt: 'More.',
    author: 'ci',
    rateLimit: 0,
  });
  await made.database
    .updateTable('messages')
    .set({ state: 'answered', run_id: runId, turn_index: 1 })
    .where('job_id', '=', jobId)
    .where('seq', '>', 1)
    .execute();
  expect(await judge(jobId, [])).toEqual([expect.stringMatching(/another order than they came: 1002, 1001$/)]);
});
