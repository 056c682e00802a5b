import { randomBytes } from 'node:crypto';
import { Webhook as Verifier } from 'standardwebhooks';
import { z } from 'zod';
import { eventually } from '../../harness/eventually.ts';
import { type ReceivedPost, type ReceiverAnswer, startReceiver } from '../../harness/start-receiver.ts';
import { parseAllowedHosts } from '../../src/config/urls.ts';
import { createDescribeEvent } from '../../src/http/api/webhooks/describe-webhooks.ts';
import { createSilentLog } from '../../src/log.ts';
import { createDispatcher } from '../../src/outbound/dispatcher.ts';
import { createPost } from '../../src/outbound/post.ts';
import { createSeal } from '../../src/outbound/seal.ts';
import { resolveBySystem } from '../../src/outbound/webhook-url.ts';
import { createWebhook } from '../../src/outbound/webhooks.ts';
import type { Store } from '../../src/store/store.ts';
import { type WebhookEvent, webhookEvents } from '../../src/store/tables/columns.ts';
import { realTiming, type Timing } from '../../src/timing.ts';

const eventShape = z.strictObject({
  type: z.string(),
  timestamp: z.iso.datetime({ precision: 3 }),
  data: z.strictObject({ job: z.looseObject({ id: z.string() }), run: z.looseObject({ id: z.string() }).nullable() }),
});

export const seal = createSeal(() => [key]);
const key = randomBytes(32);

const log = createSilentLog();

/** Retries that no test has to wait for. However slow the machine is, no claim ends, and no answer comes too late. */
export const fastRetries = { retryDelaysMs: [20, 40, 60], lookEveryMs: 20, claimMs: 600_000, postMs: 300_000 };

/** Verifies the signature with the library, as receivers do. Throws if it is wrong. */
export const openPost = (secret: string, { body, headers }: ReceivedPost) =>
  eventShape.parse(new Verifier(secret).verify(body, headers as Record<string, string>));

/** A webhook of the project that leads to a receiver, and a process that sends. */
export async function openPostOffice(
  store: Store,
  projectId: string,
  {
    answer,
    events = webhookEvents,
    timing: changes = fastRetries,
    isSending = true,
  }: {
    answer?: (post: ReceivedPost) => ReceiverAnswer;
    events?: readonly WebhookEvent[];
    timing?: Partial<Timing['outbound']>;
    isSending?: boolean;
  } = {},
) {
  await using cleanup = new AsyncDisposableStack();
  const { database } = store;
  const timing = { ...realTiming.outbound, ...changes };
  const receiver = cleanup.use(await startReceiver({ ...(answer && { answer }) }));
  const created = await createWebhook({ database, seal }, { projectId, url: receiver.url, events });
  if (created.kind !== 'created') throw new Error('the project has too many webhooks');
  const { webhook, secret } = created;
  const { webhook_id: webhookId } = webhook;
  const allowed = parseAllowedHosts('127.0.0.1') ?? [];
  const parts = {
    ...store,
    seal,
    post: createPost({ allowed, resolve: resolveBySystem, proxies: {}, timeoutMs: timing.postMs }),
    describe: createDescribeEvent({ database, webUrl: 'https://github.com' }),
    timing,
    log,
  };
  const startSending = () => cleanup.use(createDispatcher({ ...parts, drainMs: 1_000 }));
  if (isSending) startSending();
  // The next test of the file has webhooks of its own.
  cleanup.defer(async () => {
    await database
      .updateTable('webhooks')
      .set({ removed_at: new Date() })
      .where('webhook_id', '=', webhookId)
      .execute();
  });
  const held = cleanup.move();
  const listDeliveries = () =>
    database.selectFrom('webhook_deliveries').selectAll().where('webhook_id', '=', webhookId).orderBy('seq').execute();
  return {
    receiver,
    webhookId,
    secret,
    parts,
    startSending: () => held.use(createDispatcher({ ...parts, drainMs: 1_000 })),
    open: (post: ReceivedPost) => openPost(secret, post),
    readWebhook: () =>
      database.selectFrom('webhooks').selectAll().where('webhook_id', '=', webhookId).executeTakeFirstOrThrow(),
    listDeliveries,
    untilPosts: (count: number) =>
      eventually(async () => (receiver.posts.length >= count ? receiver.posts : undefined), { what: `${count} posts` }),
    untilOver: () =>
      eventually(
        async () => {
          const deliveries = await listDeliveries();
          return deliveries.length > 0 && deliveries.every(({ state }) => state !== 'waiting') ? deliveries : undefined;
        },
        { what: 'the deliveries are over' },
      ),
    [Symbol.asyncDispose]: () => held.disposeAsync(),
  };
}
