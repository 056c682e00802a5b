import { randomBytes } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { sql } from 'kysely';
import { z } from 'zod';
import { eventually } from '../../harness/eventually.ts';
import { createRandom } from '../../harness/random.ts';
import { type ReceivedPost, type Receiver, type ReceiverAnswer, startReceiver } from '../../harness/start-receiver.ts';
import { instruct } from './kinds/kinds.ts';
import type { Trial } from './trial.ts';
import { callApi } from './world/trial-project.ts';
import { findWebhookFaults, type WatchedWebhook } from './world/webhook-faults.ts';

const createdShape = z.object({ id: z.string(), secret: z.string() });
/** A project that no round uses. */
const projectNumber = 242;
/** Half of them run, the others are cancelled. */
const jobsPerKill = 8;
/** So many times a receiver may fail one webhook, before it accepts it. */
const mostFailures = 3;
const failedAnswers: readonly [ReceiverAnswer, ...ReceiverAnswer[]] = [
  { status: 500 },
  { status: 503, headers: { 'retry-after': '1' } },
  'cut',
];
const longestAnswerMs = 150;
const longestMs = 900;

/**
 * SIGKILL of workers, and of the web process each third time, while deliveries are on their way to two receivers, one of which fails at
 * times. Each event arrives at least once, in order per job, with one webhook-id and body, signed.
 */
export async function tryWebhooks(
  { world, rounds, ledger, seed }: Trial,
  { kills, signal }: { kills: number; signal: AbortSignal },
): Promise<void> {
  const trial = `webhooks: --seed ${seed}`;
  await rounds.stop();
  const random = createRandom(seed);
  const project = await world.project('plain', projectNumber);
  const failures = new Map<string, number>();
  const accepted = new Set<ReceivedPost>();

  async function answerAtTimes(post: ReceivedPost) {
    await delay(random.between(0, longestAnswerMs));
    const id = String(post.headers['webhook-id']);
    const earlier = failures.get(id) ?? 0;
    if (earlier < mostFailures && random.between(0, 2) < 1) {
      failures.set(id, earlier + 1);
      return random.pick(failedAnswers);
    }
    accepted.add(post);
    return { status: 204 };
  }
  await using failing = await startReceiver({ answer: answerAtTimes });
  await using steady = await startReceiver({
    answer: async (post) => {
      await delay(random.between(0, longestAnswerMs));
      accepted.add(post);
      return { status: 204 };
    },
  });

  const environment = { WEBHOOK_ALLOWED_HOSTS: '127.0.0.1', SECRETS_KEY: randomBytes(32).toString('base64') };
  await world.web()?.kill('SIGKILL');
  await world.startWeb(environment);
  const webhooks = await Promise.all([failing, steady].map(watch));
  const spawnWorker = () => world.spawnWorker({ ...environment, CLAIMS: 'open' });
  let worker = await spawnWorker();
  let next = spawnWorker();
  const over = new AbortController();
  const hurrying = hurry();

  for (let nth = 0; nth < kills && !signal.aborted; nth += 1) {
    const prompt = instruct('nothing to change', project);
    const created = await Promise.all(
      Array.from({ length: jobsPerKill }, () => callApi(world.webUrl(), project, '', { prompt })),
    );
    const jobIds = created.flatMap(({ jobId }) => jobId ?? []);
    const ended = jobIds.map(async (jobId, index) => {
      await delay(random.between(0, longestMs));
      const act = index % 2 === 0 ? 'cancel' : 'archive';
      if (index % 4 < 3) await callApi(world.webUrl(), project, `/${jobId}/${act}`, {});
    });
    await delay(random.between(0, longestMs));
    await Promise.all([worker.kill('SIGKILL'), nth % 3 === 2 ? world.web()?.kill('SIGKILL') : undefined]);
    await world.expireLeases(worker);
    if (nth % 3 === 2) await world.startWeb(environment);
    worker = await next;
    next = spawnWorker();
    await Promise.all(ended);
  }

  const jobs = await world.database
    .selectFrom('jobs')
    .select('job_id')
    .where('project_id', '=', project.projectId)
    .execute();
  const wrong: string[] = [];
  await world.settled(jobs.map(({ job_id }) => job_id)).catch((error: Error) => wrong.push(error.message));
  await untilDelivered().catch((error: Error) => wrong.push(error.message));
  over.abort();
  await hurrying;
  let deliveries = 0;
  let disturbed = 0;
  for (const webhook of webhooks) {
    const found = await findWebhookFaults(world, project, { ...webhook, accepted });
    wrong.push(...found.faults);
    deliveries += found.deliveries;
    disturbed += found.disturbed;
  }
  ledger.count(29, trial, deliveries, wrong);
  // A try that neither succeeded nor failed: a kill interrupted it.
  ledger.count(29, trial, 0, disturbed === 0 ? ['no delivery was interrupted by a kill'] : []);
  for (const left of [worker, await next]) await left.kill('SIGTERM');
  await world.web()?.kill('SIGTERM');
  await world.startWeb();

  async function watch(receiver: Receiver): Promise<Omit<WatchedWebhook, 'accepted'>> {
    const response = await fetch(`${world.webUrl()}/v2/agent/${project.projectId}/webhook`, {
      method: 'POST',
      headers: { authorization: `Bearer ${project.key}`, 'content-type': 'application/json' },
      body: JSON.stringify({ url: receiver.url }),
    });
    const { id, secret } = createdShape.parse(await response.json());
    return { webhookId: id, secret, posts: receiver.posts };
  }

  /** As if the minutes and hours between two tries were over. A claimed delivery stays with its process for 20 s. */
  async function hurry(): Promise<void> {
    while (!over.signal.aborted) {
      await sql`update webhook_deliveries set due_at = now()
        where state = 'waiting' and due_at > now() and coalesce(claimed_until, now()) <= now()`.execute(world.database);
      await delay(200);
    }
  }

  async function untilDelivered(): Promise<void> {
    await eventually(
      async () => {
        const { rows } = await sql`select from webhook_deliveries where state = 'waiting'`.execute(world.database);
        return rows.length === 0 || undefined;
      },
      { what: 'every webhook is delivered', withinMs: 180_000, everyMs: 200 },
    );
  }
}
