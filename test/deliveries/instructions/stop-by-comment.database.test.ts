import { expect, test } from 'vitest';
import { acceptInstruction } from '../../../src/deliveries/instructions/accept-instruction.ts';
import { stopByComment } from '../../../src/deliveries/instructions/stop-by-comment.ts';
import type { Trigger } from '../../../src/deliveries/instructions/trigger.ts';
import { answerSchema } from '../../../src/effects/answer.ts';
import { StopRequested } from '../../../src/errors.ts';
import { addMessage } from '../../../src/jobs/add-message.ts';
import { archiveJob } from '../../../src/jobs/archive-job.ts';
import { cancelled } from '../../../src/jobs/cancel-job.ts';
import { failRun } from '../../../src/jobs/end-run.ts';
import { inLease, releaseLease } from '../../../src/store/schedule/lease.ts';
import type { Queue } from '../../../src/store/schedule/queue.ts';
import { inTransaction } from '../../../src/store/store.ts';
import { listEffects } from '../../../src/store/tables/jobs/effects.ts';
import { updateJob } from '../../../src/store/tables/jobs/jobs.ts';
import { listMessages } from '../../../src/store/tables/jobs/messages.ts';
import { updateRun } from '../../../src/store/tables/jobs/runs.ts';
import { findProject } from '../../../src/store/tables/repositories/projects.ts';
import { beginWork, makeJob } from '../../support/databases/jobs.ts';
import { setUpProject } from '../../support/databases/set-up-project.ts';
import { openJournal } from '../../support/worlds/open-journal.ts';

const db = setUpProject();

/** GitHub's clock, which has whole seconds. */
const noon = Date.parse('2026-11-20T12:00:00Z');
const at = (seconds: number) => new Date(noon + seconds * 1000);

let lastNumber = 0;
/** A job with a pull request, and what is said there. */
async function open() {
  const { job_id: jobId } = await makeJob(db.store, db.projectId, 'completed');
  lastNumber += 1;
  const number = lastNumber;
  await updateJob(db.database, jobId, { pull_request_number: number });
  const project = await findProject(db.database, db.projectId);
  if (!project) throw new Error('there is a project');
  const sent: string[] = [];
  const send: Queue['send'] = async (_tx, _name, entry) => void sent.push('key' in entry ? String(entry.key) : '');
  const queued = { ...db.store, queue: { ...db.store.queue, send } };
  const find = () => db.database.selectFrom('jobs').selectAll().where('job_id', '=', jobId).executeTakeFirstOrThrow();
  const trigger = (seconds: number): Trigger => ({
    source: 'comment',
    sourceKey: `comment:${seconds}`,
    person: { login: 'rita', userId: 5 },
    deliveryId: `delivery-${seconds}`,
    writtenAt: at(seconds),
    comments: [],
  });
  return {
    jobId,
    find,
    /** The entries that were put up for the queue, without those for a sign that something was seen. */
    sent: () => sent.filter((key) => !key.endsWith(':eyes')),
    ask: (seconds: number) =>
      inTransaction(queued, async (store) =>
        acceptInstruction(
          store,
          { project, job: await find(), number },
          trigger(seconds),
          { prompt: `Asked at ${seconds}` },
          { limits: { rateLimit: 0 } },
        ),
      ),
    stop: (seconds: number) =>
      inTransaction(queued, async (store) =>
        stopByComment(
          store,
          { project, job: await find(), number },
          { ...trigger(seconds), comments: [{ on: 'comment', commentId: seconds }] },
        ),
      ),
    /** By the API, whose clock is ours. */
    async request(moment: Date) {
      const request = { source: 'api', author: 'ci', prompt: 'By the API', rateLimit: 0 } as const;
      await addMessage(db.store, { projectId: db.projectId, jobId, writtenAt: moment, ...request });
    },
    messages: async () => (await listMessages(db.database, jobId)).map(({ prompt, state }) => [prompt, state]),
    answers: async () => (await listEffects(db.database, jobId)).map(({ request }) => request),
  };
}

/** The worker hears of the stop. */
const endStopped = ({ lease, run }: Awaited<ReturnType<typeof beginWork>>) =>
  inLease(db.database, lease, (tx) => failRun({ tx, queue: db.store.queue }, run, cancelled));

test('promise 8: an instruction written after a stop is executed, although the stop arrives late during a run', async () => {
  const { jobId, ask, stop, messages } = await open();
  await ask(1);
  const held = await beginWork(db.store);
  await ask(3);
  expect(await stop(2)).toBeUndefined();
  expect(await endStopped(held)).toMatchObject({ status: 'active', due_at: expect.any(Date) });
  expect((await beginWork(db.store)).lease).toMatchObject({ jobId });
  expect(await messages()).toEqual([
    ['Asked at 1', 'dropped'],
    ['Asked at 3', 'taken'],
  ]);
});

test('promises 8 and 15: so is one that the stopped run had already received: the next run starts with it', async () => {
  const { jobId, ask, stop, messages } = await open();
  await ask(1);
  const held = await beginWork(db.store);
  const journal = await openJournal(db.database, held);
  await journal.openTurn(0, []);
  await ask(3);
  await journal.openTurn(1, []);
  await stop(2);
  await expect(journal.openTurn(2, [])).rejects.toBeInstanceOf(StopRequested);
  expect(await endStopped(held)).toMatchObject({ status: 'active', due_at: expect.any(Date) });
  expect(await messages()).toEqual([
    ['Asked at 1', 'dropped'],
    ['Asked at 3', 'waiting'],
  ]);
  expect((await beginWork(db.store)).lease).toMatchObject({ jobId });
});

test('a stop also drops unanswered messages of a run that fails for another reason first', async () => {
  const { ask, stop, messages } = await open();
  await ask(1);
  const held = await beginWork(db.store);
  const journal = await openJournal(db.database, held);
  await ask(2);
  await journal.openTurn(1, []);
  await stop(3);
  const crash = { code: 'crashed', sentence: 'It crashed.' };
  await inLease(db.database, held.lease, (tx) => failRun({ tx, queue: db.store.queue }, held.run, crash));
  expect(await messages()).toEqual([
    ['Asked at 1', 'dropped'],
    ['Asked at 2', 'dropped'],
  ]);
});

test.each([
  ['no run was begun', async () => {}],
  [
    'the run waits',
    async () => {
      const { lease } = await beginWork(db.store);
      await releaseLease(db.database, lease, { delayMs: 60_000 });
    },
  ],
])('promises 8 and 15: so is one while no worker has the job, because %s', async (_name, begin) => {
  const { jobId, ask, stop, messages, find } = await open();
  await ask(1);
  await ask(3);
  await begin();
  await stop(2);
  expect(await find()).toMatchObject({ status: 'active' });
  expect((await beginWork(db.store)).lease).toMatchObject({ jobId });
  expect(await messages()).toEqual([
    ['Asked at 1', 'dropped'],
    ['Asked at 3', 'taken'],
  ]);
});

test('promise 8: so is one that waits behind a publishing run', async () => {
  const { ask, stop, messages } = await open();
  await ask(1);
  const { run } = await beginWork(db.store);
  await updateRun(db.database, run.run_id, { phase: 'publishing' });
  await ask(2);
  await ask(4);
  await stop(3);
  expect(await messages()).toEqual([
    ['Asked at 1', 'taken'],
    ['Asked at 2', 'dropped'],
    ['Asked at 4', 'waiting'],
  ]);
});

test('promise 15: each stop behind a publishing run is answered, with the instructions that it drops', async () => {
  const { ask, stop, sent, answers } = await open();
  await ask(1);
  const { run } = await beginWork(db.store);
  await updateRun(db.database, run.run_id, { phase: 'publishing' });
  await ask(2);
  await stop(3);
  await ask(4);
  await ask(5);
  await stop(6);
  await stop(7);
  const stopped = expect.stringMatching(new RegExp(`^${run.run_id}:stopped:msg_\\w+:comment$`));
  expect(sent()).toEqual([stopped, stopped, 'comment:7:publishing']);
  expect(new Set(sent()).size).toBe(3);
  const comments = (await answers()).filter((answer) => answerSchema.parse(answer).kind === 'comment');
  expect(comments).toEqual(
    Array.from({ length: 3 }, () => expect.objectContaining({ body: expect.stringContaining('Stopped on request.') })),
  );
});

test('promise 1: an answer that is promised twice before it is posted is queued once', async () => {
  const archived = await open();
  await inTransaction(db.store, (store) => archiveJob(store, archived.jobId, 'closed'));
  await archived.ask(1);
  await archived.ask(2);
  expect(archived.sent()).toEqual([expect.stringMatching(/^job:archived:/)]);
});

test('a stop older than all messages is answered and stops nothing', async () => {
  const { ask, stop, messages, find, answers } = await open();
  await ask(3);
  const { lease } = await beginWork(db.store);
  await stop(2);
  expect(await messages()).toEqual([['Asked at 3', 'taken']]);
  expect(await find()).toMatchObject({ status: 'active', lease_epoch: lease.epoch });
  expect((await answers()).slice(-2)).toEqual([
    { kind: 'reaction', on: 'comment', commentId: 2 },
    expect.objectContaining({ kind: 'comment', body: expect.stringContaining('was requested after it') }),
  ]);
});

test.each<[string, number, string]>([
  ['stops what the API asked for in the same second', 0.4, 'dropped'],
  ['stops what the API asked for just before, by a clock that is ahead', 240, 'dropped'],
  ['does not stop what the API asked for long after it', 3600, 'waiting'],
])('a stop %s', async (_name, seconds, state) => {
  const { request, stop, messages } = await open();
  await request(at(seconds));
  await stop(0);
  expect(await messages()).toEqual([['By the API', state]]);
});
