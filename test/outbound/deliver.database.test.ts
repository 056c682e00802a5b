import { sql } from 'kysely';
import { Webhook as Verifier } from 'standardwebhooks';
import { expect, test } from 'vitest';
import { createProject } from '../../harness/create-project.ts';
import { eventually } from '../../harness/eventually.ts';
import type { ReceivedPost } from '../../harness/start-receiver.ts';
import { archiveJob } from '../../src/jobs/archive-job.ts';
import { cancelJob } from '../../src/jobs/cancel-job.ts';
import { endRun } from '../../src/jobs/end-run.ts';
import { deliver, sendMessage } from '../../src/outbound/deliver.ts';
import { createSeal } from '../../src/outbound/seal.ts';
import { rotateSecret } from '../../src/outbound/webhooks.ts';
import { inLease } from '../../src/store/schedule/lease.ts';
import { inTransaction } from '../../src/store/store.ts';
import { claimWebhookDelivery } from '../../src/store/tables/webhooks/webhook-deliveries.ts';
import { realTiming } from '../../src/timing.ts';
import { acceptJob, beginWork } from '../support/databases/jobs.ts';
import { setUpProject } from '../support/databases/set-up-project.ts';
import { fastRetries, openPostOffice, seal } from './post-office.ts';

const db = setUpProject();

const published = { outcome: 'completed', code: 'published', sentence: 'The pull request was opened.' } as const;
const refused = { outcome: 'failed', code: 'model_refused', sentence: 'The model refused.' } as const;
const { signal } = new AbortController();
const headersOf = ({ headers }: ReceivedPost) => headers as Record<string, string>;
const typeOf = ({ body }: ReceivedPost): string => JSON.parse(body).type;
const jobOf = ({ body }: ReceivedPost): string => JSON.parse(body).data.job.id;

/** Accepts a job and ends its first run. */
async function endJob(end: typeof published | typeof refused = published, projectId = db.projectId) {
  const { job_id: jobId } = await acceptJob(db.store, projectId);
  const { lease, run } = await beginWork(db.store);
  await inLease(db.database, lease, (tx) => endRun({ tx, queue: db.store.queue }, run, end));
  return { jobId, runId: run.run_id };
}

test('promise 29: a completed job is told by two signed POSTs, first of its answered messages', async () => {
  await using office = await openPostOffice(db.store, db.projectId);
  const { jobId, runId } = await endJob();
  const posts = await office.untilPosts(2);
  const [answered, completed] = posts.map(office.open);
  expect([answered?.type, completed?.type]).toEqual(['message.answered', 'job.completed']);
  expect(completed?.data.job).toMatchObject({ id: jobId, status: 'completed', prLink: null });
  expect(completed?.data.run).toMatchObject({ id: runId, outcome: 'completed', messages: [{ state: 'answered' }] });
  const ids = posts.map(({ headers }) => headers['webhook-id']);
  expect(new Set(ids).size).toBe(2);
  const over = await office.untilOver();
  expect(over.map((delivery) => [delivery.delivery_id, delivery.state, delivery.response_status])).toEqual(
    ids.map((id) => [id, 'delivered', 204]),
  );
});

test('promise 29: every end of a job is told, to those who asked for it', async () => {
  await using all = await openPostOffice(db.store, db.projectId);
  await using archives = await openPostOffice(db.store, db.projectId, { events: ['job.archived'] });
  const failed = await endJob(refused);
  const { job_id: cancelled } = await acceptJob(db.store, db.projectId);
  await cancelJob(db.store, cancelled);
  await inTransaction(db.store, (store) => archiveJob(store, failed.jobId, 'merged'));
  const posts = await all.untilPosts(3);
  expect(posts.map((post) => [typeOf(post), jobOf(post)]).toSorted()).toEqual(
    [
      ['job.failed', failed.jobId],
      ['job.failed', cancelled],
      ['job.archived', failed.jobId],
    ].toSorted(),
  );
  const [archived] = (await archives.untilPosts(1)).map(archives.open);
  expect(archived).toMatchObject({
    type: 'job.archived',
    data: { job: { status: 'archived' }, run: { id: failed.runId } },
  });
  await archives.untilOver();
  expect(archives.receiver.posts).toHaveLength(1);
});

test('promise 29: a transaction that is rolled back tells nothing', async () => {
  await using office = await openPostOffice(db.store, db.projectId, { isSending: false });
  const { job_id: jobId } = await acceptJob(db.store, db.projectId);
  const archive = inTransaction(db.store, async (store) => {
    await archiveJob(store, jobId, 'closed');
    throw new Error('rolled back');
  });
  await expect(archive).rejects.toThrow('rolled back');
  expect(await office.listDeliveries()).toEqual([]);
});

test('promise 29: deliveries of a job arrive in order, and a failing one holds up no other job', async () => {
  const open = new Set<string>();
  const answer = (post: ReceivedPost) => ({ status: open.has(jobOf(post)) ? 200 : 500 });
  const timing = { ...fastRetries, retryDelaysMs: Array.from({ length: 200 }, () => 20) };
  await using office = await openPostOffice(db.store, db.projectId, { answer, timing });
  const first = await endJob();
  await office.untilPosts(2);
  const second = await endJob();
  open.add(second.jobId);
  await eventually(
    async () => office.receiver.posts.filter((post) => jobOf(post) === second.jobId).length >= 2 || undefined,
  );
  open.add(first.jobId);
  await office.untilOver();
  const ofFirst = office.receiver.posts.filter((post) => jobOf(post) === first.jobId);
  const types = ofFirst.map(typeOf);
  expect(types.lastIndexOf('message.answered')).toBeLessThan(types.indexOf('job.completed'));
  expect(types.filter((type) => type === 'job.completed')).toHaveLength(1);
  const tries = ofFirst.filter((post) => typeOf(post) === 'message.answered');
  expect(tries.length).toBeGreaterThan(1);
  expect(new Set(tries.map(({ body, headers }) => `${headers['webhook-id']} ${body}`)).size).toBe(1);
});

test('promise 29: a failed delivery is tried eight times more, over three days', async () => {
  const timing = { ...fastRetries, retryDelaysMs: realTiming.outbound.retryDelaysMs };
  await using office = await openPostOffice(db.store, db.projectId, {
    answer: () => ({ status: 500 }),
    events: ['job.completed'],
    timing,
  });
  await endJob();
  const [second, minute, hour] = [1, 60, 3_600];
  const schedule = [5 * second, minute, 10 * minute, hour, 4 * hour, 12 * hour, 24 * hour, 24 * hour];
  const waits: number[] = [];
  for (let count = 1; count <= 9; count += 1) {
    await office.untilPosts(count);
    const delivery = await eventually(async () => {
      const [found] = await office.listDeliveries();
      return found?.tries === count && found.claimed_until === null ? found : undefined;
    });
    expect(delivery).toMatchObject({
      response_status: 500,
      error: 'it answered 500',
      state: count < 9 ? 'waiting' : 'failed',
    });
    if (count === 9) break;
    waits.push((delivery.due_at.getTime() - (delivery.tried_at?.getTime() ?? 0)) / 1_000);
    await db.database
      .updateTable('webhook_deliveries')
      .set({ due_at: new Date(0) })
      .execute();
  }
  // They begin when the answer has come, however slow the machine is.
  expect(waits.map((wait) => schedule.findLast((scheduled) => scheduled <= wait))).toEqual(schedule);
});

test.each([
  [503, '120', 120],
  [429, new Date(Date.now() + 3_600_000).toUTCString(), 3_600],
  [429, '1', 5],
  [429, '9999999', 24 * 3_600],
  [429, 'presently', 5],
  [500, '120', 5],
])('promise 29: after a %i with Retry-After %j the next try follows in %i s', async (status, retryAfter, seconds) => {
  const timing = { ...fastRetries, retryDelaysMs: realTiming.outbound.retryDelaysMs };
  const answer = () => ({ status, headers: { 'retry-after': retryAfter } });
  await using office = await openPostOffice(db.store, db.projectId, { answer, events: ['job.completed'], timing });
  await endJob();
  const delivery = await eventually(async () => {
    const [found] = await office.listDeliveries();
    return found?.tries === 1 && found.claimed_until === null ? found : undefined;
  });
  const waitSeconds = (delivery.due_at.getTime() - (delivery.tried_at?.getTime() ?? 0)) / 1_000;
  // The date was made when the file was loaded.
  const early = retryAfter.endsWith('GMT') ? 120 : 0;
  expect(waitSeconds).toBeGreaterThanOrEqual(seconds - early);
  expect(waitSeconds).toBeLessThan(seconds + 4);
});

test.each<[string, Parameters<typeof openPostOffice>[2], { response_status: number | null; error: string }]>([
  [
    'a redirect',
    { answer: () => ({ status: 307, headers: { location: '/elsewhere' } }) },
    { response_status: 307, error: 'it answered with a redirect (307), which is not followed' },
  ],
  [
    'silence',
    { answer: () => 'hang', timing: { postMs: 300 } },
    { response_status: null, error: 'no answer within 0.3 s' },
  ],
  ['a refusal', { answer: () => ({ status: 404 }) }, { response_status: 404, error: 'it answered 404' }],
])('promise 29: %s is a failure', async (_what, options, expected) => {
  const timing = { ...fastRetries, retryDelaysMs: [], ...options?.timing };
  await using office = await openPostOffice(db.store, db.projectId, { ...options, timing, events: ['job.completed'] });
  await endJob();
  expect(await office.untilOver()).toMatchObject([{ state: 'failed', tries: 1, ...expected }]);
  expect(office.receiver.posts.map(({ path }) => path)).toEqual(['/hook']);
});

test('promise 29: a long answer is not read to its end', async () => {
  const answer = () => ({ status: 200, body: 'x'.repeat(20_000_000) });
  await using office = await openPostOffice(db.store, db.projectId, { answer, events: ['job.completed'] });
  await endJob();
  expect(await office.untilOver()).toMatchObject([{ state: 'delivered', response_status: 200 }]);
});

test('promise 29: a delivery whose process dies before the record is sent again, the same', async () => {
  await using office = await openPostOffice(db.store, db.projectId, { isSending: false, events: ['job.completed'] });
  await endJob();
  const limits = { perWebhook: 4, perProject: 4, includesFailing: true, claimMs: fastRetries.claimMs };
  const claimed = await claimWebhookDelivery(db.database, limits);
  if (!claimed) throw new Error('no delivery is due');
  const { webhook, delivery } = claimed;
  const message = { webhook, messageId: delivery.delivery_id, body: '{"type":"job.completed"}' };
  await sendMessage(office.parts, message, signal);
  expect(await claimWebhookDelivery(db.database, limits)).toBeUndefined();
  // As if the claim were over.
  const over = { due_at: new Date(), claimed_until: new Date() };
  await db.database.updateTable('webhook_deliveries').set(over).where('webhook_id', '=', office.webhookId).execute();
  office.startSending();
  const [lost, again] = await office.untilPosts(2);
  expect(again?.headers['webhook-id']).toBe(lost?.headers['webhook-id']);
  expect(await office.untilOver()).toMatchObject([{ state: 'delivered', tries: 2 }]);
});

test('promise 29: at most four deliveries to a webhook are on their way, and others get theirs', async () => {
  await using slow = await openPostOffice(db.store, db.projectId, {
    answer: () => 'hang',
    events: ['job.completed'],
  });
  for (let count = 0; count < 8; count += 1) await endJob();
  await slow.untilPosts(4);
  const { projectId } = await createProject(db.database, { owner: 'other', repositoryId: 2 });
  await using other = await openPostOffice(db.store, projectId, { isSending: false, events: ['job.completed'] });
  await endJob(published, projectId);
  await other.untilPosts(1);
  expect(slow.receiver.posts).toHaveLength(4);
});

test('promise 29: a webhook that answers 410 is disabled at once', async () => {
  await using office = await openPostOffice(db.store, db.projectId, { answer: () => ({ status: 410 }) });
  await endJob();
  const over = await office.untilOver();
  expect(over.map(({ state, tries }) => [state, tries])).toEqual([
    ['failed', 1],
    ['failed', 0],
  ]);
  expect(await office.readWebhook()).toMatchObject({ disabled_reason: 'It answered 410 Gone.' });
  await endJob();
  expect(await office.listDeliveries()).toHaveLength(2);
});

test('promise 29: a webhook that fails for five days is disabled, and a success begins anew', async () => {
  let status = 500;
  const answer = () => ({ status });
  await using office = await openPostOffice(db.store, db.projectId, { answer, events: ['job.completed'] });
  const failedFor = (days: number) =>
    db.database
      .updateTable('webhooks')
      .set({ failing_since: sql<Date>`now() - ${days} * interval '1 day'` })
      .where('webhook_id', '=', office.webhookId)
      .execute();
  await failedFor(4.9);
  await endJob();
  await office.untilOver();
  expect(await office.readWebhook()).toMatchObject({ disabled_at: null });
  status = 200;
  await endJob();
  await office.untilOver();
  expect(await office.readWebhook()).toMatchObject({ failing_since: null });
  status = 503;
  await failedFor(5);
  await endJob();
  await office.untilOver();
  const { disabled_reason: reason } = await office.readWebhook();
  expect(reason).toBe('All deliveries failed for 5 days; the last time it answered 503.');
});

test('promise 29: a success after another delivery has failed marks the webhook as working', async () => {
  let status = 200;
  const answer = () => ({ status });
  const events = ['job.completed'] as const;
  await using office = await openPostOffice(db.store, db.projectId, { answer, events, isSending: false });
  await endJob();
  await endJob();
  const first = await claim();
  const second = await claim();
  status = 500;
  await deliver(office.parts, second, signal);
  expect(await office.readWebhook()).toMatchObject({ failing_since: expect.any(Date) });
  status = 200;
  await deliver(office.parts, first, signal);
  expect(await office.readWebhook()).toMatchObject({ failing_since: null });
});

async function claim() {
  const limits = { perWebhook: 10, perProject: 10, includesFailing: true, claimMs: 600_000 };
  const claimed = await claimWebhookDelivery(db.database, limits);
  if (!claimed) throw new Error('no delivery is due');
  return claimed;
}

test('promise 29: after a rotation both secrets verify, for a day', async () => {
  await using office = await openPostOffice(db.store, db.projectId, { events: ['job.completed'] });
  const key = { projectId: db.projectId, webhookId: office.webhookId };
  const rotated = await rotateSecret({ database: db.database, seal }, key);
  await endJob();
  const [post] = await office.untilPosts(1);
  if (!post || !rotated) throw new Error('nothing was sent');
  for (const secret of [office.secret, rotated.secret]) new Verifier(secret).verify(post.body, headersOf(post));
  const kept = (await office.readWebhook()).previous_secret_until?.getTime() ?? 0;
  expect(Math.round((kept - Date.now()) / 60_000)).toBe(24 * 60);

  await db.database.updateTable('webhooks').set({ previous_secret_until: new Date() }).execute();
  await endJob();
  const later = (await office.untilPosts(2))[1];
  if (!later) throw new Error('nothing was sent');
  new Verifier(rotated.secret).verify(later.body, headersOf(later));
  expect(() => new Verifier(office.secret).verify(later.body, headersOf(later))).toThrow('No matching signature');
});

test('promise 29: a secret is stored encrypted, and says when another key is needed', async () => {
  await using office = await openPostOffice(db.store, db.projectId, { isSending: false });
  const webhook = await office.readWebhook();
  expect(webhook.secret.includes(office.secret)).toBe(false);
  expect(seal.open(webhook.secret, office.webhookId)).toBe(office.secret);
  const parts = { seal: createSeal(() => [Buffer.alloc(32)]), post: office.parts.post };
  const message = { webhook, messageId: 'whd_1', body: '{}' };
  expect(await sendMessage(parts, message, signal)).toMatchObject({
    status: null,
    error: expect.stringContaining('another SECRETS_KEY'),
  });
  expect(() => seal.open(webhook.secret, 'whk_other')).toThrow('another SECRETS_KEY');
});
