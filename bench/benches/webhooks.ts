import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import pg from 'pg';
import { eventually } from '../../harness/eventually.ts';
import type { Delivery } from '../../local/github/events/webhook-delivery.ts';
import { describeLatencies, type Figure } from '../figures/figure.ts';
import { type SendingPlan, type Sent, sentShape } from '../load/send-deliveries.ts';
import { type BenchWorld, openWorld } from '../world/open-world.ts';
import { firstThen, leaveIt, writeFile } from '../world/scripts.ts';

const idleComments = 12;
const load = { perSecond: 50, seconds: 10 };
/** The answers to all instructions are written one second apart. */
const queueMs = 600_000;
const eyesRoute = 'POST /repos/:owner/:repo/issues/comments/:comment_id/reactions';

/** How fast the service answers webhooks, and how soon a comment gets its reaction: idle, and while many webhooks arrive. */
export async function benchWebhooks(): Promise<Figure[]> {
  const script = firstThen(writeFile('page.md', 'One line.\n'), leaveIt);
  await using world = await openWorld({ script, files: { 'index.md': '# Acme\n' } });
  const { github, repository, rita, webhook } = world;
  const { jobId } = await world.untilSettled(await world.createJob('Write the page.'));
  // From here on the bench decides when GitHub sends them.
  await github.deliveries.settled();
  github.setWebhook(undefined, webhook.secret);

  const idle: number[] = [];
  for (let count = 0; count < idleComments; count += 1) {
    const { id } = rita.comment(repository.fullName, 1, `Please look at it, ${count}.`);
    const sent = await send(world, { deliveries: takeUnsent(world), perSecond: 1_000 });
    idle.push((await eventually(() => findSeenAt(world, id))) - (sent.at(-1)?.at ?? Number.NaN));
    await world.untilSettled(jobId);
  }

  const { deliveries, commentIds } = await prepareLoad(world);
  const sent = await send(world, { deliveries, perSecond: load.perSecond });
  const refused = sent.filter(({ status }) => status !== 202).length;
  const sentAt = new Map(sent.map(({ deliveryId, at }) => [deliveryId, at]));
  await untilQueueIsEmpty(world);
  await world.untilSettled(jobId);
  const loaded = [...commentIds].flatMap(([deliveryId, commentId]) => {
    const seenAt = findSeenAt(world, commentId);
    return seenAt === undefined ? [] : [seenAt - (sentAt.get(deliveryId) ?? Number.NaN)];
  });
  const unseen = commentIds.size - loaded.length;
  const latencies = sent.map(({ latencyMs }) => latencyMs);
  return [
    describeLatencies(`webhook answered, ${load.perSecond} a second`, latencies, { share: 0.99, goalMs: 100 }),
    countNone('webhooks not answered with 202', refused),
    describeLatencies('comment to eyes, idle', idle, { share: 0.99, goalMs: 1_000 }),
    // Of one pull request: each waits for its turn, and an installation may write once a second.
    describeLatencies(`comment to eyes, ${load.perSecond} webhooks a second`, loaded, { share: 0.99 }),
    countNone('comments without eyes', unseen),
  ];
}

/** Of ten deliveries: one instruction, three other comments of that person, four of a bot, one review with a remark (two deliveries). */
async function prepareLoad({ github, repository, rita }: BenchWorld) {
  github.addUser('renovate', { type: 'Bot' });
  const bot = github.asPerson('renovate');
  const name = repository.fullName;
  const commentIds = new Map<string, number>();
  const deliveries: Delivery[] = [];
  for (let ten = 0; ten < (load.perSecond * load.seconds) / 10; ten += 1) {
    const { id } = rita.comment(name, 1, `Please look at this too, ${ten}.`);
    const told = takeUnsent({ github });
    commentIds.set(told.at(-1)?.deliveryId ?? '', id);
    for (let count = 0; count < 3; count += 1) rita.comment(name, 1, `aside: I see it as they do, ${ten}.${count}`);
    for (let count = 0; count < 4; count += 1) bot.comment(name, 1, `Bumped ${ten}.${count}`);
    await rita.commentOnLine(name, 1, { path: 'page.md', line: 1, body: `aside: nicely said, ${ten}` });
    deliveries.push(...told, ...takeUnsent({ github }));
  }
  return { deliveries, commentIds };
}

/** The undelivered deliveries since the last call. Those that the service itself caused come first. */
function takeUnsent({ github }: Pick<BenchWorld, 'github'>): Delivery[] {
  const unsent = github.deliveries.log.filter(({ status }) => status === 'unsent');
  for (const delivery of unsent) delivery.status = 'waiting';
  return unsent;
}

async function send({ webhook }: BenchWorld, plan: Pick<SendingPlan, 'deliveries' | 'perSecond'>): Promise<Sent> {
  const deliveries = plan.deliveries.map(({ deliveryId, event, body }) => ({ deliveryId, event, body }));
  const workerData: SendingPlan = { ...webhook, ...plan, deliveries };
  const worker = new Worker(new URL('../load/send-deliveries.ts', import.meta.url), { workerData });
  const [sent] = await once(worker, 'message');
  return sentShape.parse(sent);
}

/** When the reaction reached GitHub, in milliseconds of `Date.now()`. */
const findSeenAt = ({ github }: BenchWorld, commentId: number): number | undefined =>
  github.requests.find(({ route, path }) => route === eyesRoute && path.includes(`/${commentId}/`))?.at.getTime();

const countNone = (what: string, count: number): Figure => ({
  what,
  measured: String(count),
  goal: { text: '0', isMet: count === 0 },
});

async function untilQueueIsEmpty({ databaseUrl }: BenchWorld): Promise<void> {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  try {
    await eventually(
      async () => {
        const { rowCount } = await client.query(
          "select 1 from pgboss.job where name in ('delivery', 'answer') and state not in ('completed', 'failed') limit 1",
        );
        return rowCount === 0 ? true : undefined;
      },
      { withinMs: queueMs },
    );
  } finally {
    await client.end();
  }
}
