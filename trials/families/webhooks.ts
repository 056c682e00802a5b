import { randomUUID } from 'node:crypto';
import { eventually } from '../../harness/eventually.ts';
import { disturbPayload, drawForgedSignature, signed } from '../grammars/deliveries.ts';
import type { Trial } from '../trial.ts';
import { hijack } from '../world/hijack.ts';
import { postDelivery } from '../world/post-delivery.ts';
import type { World } from '../world/world.ts';

const name = (what: string) => `webhooks: ${what}`;

/** A body with a signature that is not GitHub's is refused and leaves nothing. */
export async function tryForgeries({ world, ledger, random, size }: Trial): Promise<void> {
  const earlier = await countDeliveries(world);
  const broken: string[] = [];
  for (let left = size; left > 0; left -= 1) {
    const body = JSON.stringify({ action: 'created', n: random.between(0, 1) });
    const signature = drawForgedSignature(random, body, world.webhook.secret);
    const { status } = await postDelivery(world, { event: 'issue_comment', body, signature });
    if (status < 400 || status >= 500) broken.push(`${JSON.stringify(signature)} was answered ${status}`);
  }
  const stored = (await countDeliveries(world)) - earlier;
  ledger.count(7, name('forgeries'), size, stored > 0 ? [...broken, `${stored} were stored`] : broken);
}

/** Deliveries with GitHub's signature whose payload is not as GitHub describes it neither fail nor wait for ever. */
export async function tryPayloads(trial: Trial): Promise<void> {
  const { world, ledger, random, size } = trial;
  await openConversation(trial);
  const { log } = world.github.deliveries;
  const broken: string[] = [];
  for (let left = size; left > 0; left -= 1) {
    const { event, payload } = log[Math.floor(random.between(0, log.length))] ?? { event: 'ping', payload: {} };
    const body = JSON.stringify(disturbPayload(random, payload));
    const { status } = await postDelivery(world, { event, body, signature: signed(world.webhook.secret, body) });
    if (status === 0 || status >= 500) broken.push(`${event} was answered ${status}: ${body.slice(0, 300)}`);
  }
  const left = await untilProcessed(world);
  ledger.count(24, name('payloads'), size, [...broken, ...left.map((what) => `not processed: ${what}`)]);
}

/** The same delivery again, under its id or another, starts nothing again. */
export async function tryReplays(trial: Trial): Promise<void> {
  const { world, ledger, random, size } = trial;
  const { say, listPrompts } = await openConversation(trial);
  say('Please shorten the page.');
  await world.github.deliveries.settled();
  const original = world.github.deliveries.log.findLast(({ event }) => event === 'issue_comment');
  if (!original) throw new Error('GitHub sent no comment');
  const { body, deliveryId } = original;
  const times = Math.ceil(size / 5);
  await untilProcessed(world);
  const earlier = await listPrompts();
  for (let left = times; left > 0; left -= 1) {
    const id = random.pick([deliveryId, randomUUID(), deliveryId.toUpperCase()]);
    await postDelivery(world, { event: 'issue_comment', body, signature: signed(world.webhook.secret, body), id });
  }
  await untilProcessed(world);
  const more = (await listPrompts()).length - earlier.length;
  ledger.count(8, name('replays'), times, more > 0 ? [`${more} more messages after replays`] : []);
}

async function countDeliveries({ database: { database } }: World): Promise<number> {
  return (await database.selectFrom('deliveries').select('delivery_id').execute()).length;
}

/** Resolves when no delivery waits, or after a while with those that still do. */
async function untilProcessed({ database: { database } }: World): Promise<string[]> {
  const list = () =>
    database.selectFrom('deliveries').select(['event', 'delivery_id']).where('state', '=', 'stored').execute();
  await eventually(async () => (await list()).length === 0 || undefined, { withinMs: 15_000 }).catch(() => {});
  return (await list()).map(({ event, delivery_id }) => `${event} ${delivery_id}`);
}

/** A pull request on which Rita, who may write, has commented. */
async function openConversation({ world }: Trial) {
  const project = await world.addProject({ 'index.md': '# Docs\n' });
  const { fullName } = project.repository;
  const calls = [{ name: 'write_file', arguments: { path: 'page.md', content: '# Page\n' } }];
  const { jobId } = await hijack(world, project, { calls, words: { summary: 'Done.', title: 'Write a page' } });
  world.rita.comment(fullName, 1, 'Thank you.');
  await world.github.deliveries.settled();
  await untilProcessed(world);
  return {
    say: (body: string) => world.rita.comment(fullName, 1, body),
    listPrompts: () =>
      world.database.database.selectFrom('messages').select('prompt').where('job_id', '=', jobId).execute(),
  };
}
