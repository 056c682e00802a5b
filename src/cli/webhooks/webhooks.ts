import { createOutbound, type Outbound } from '../../outbound/outbound.ts';
import { testWebhook } from '../../outbound/test-webhook.ts';
import { checkWebhookUrl, UrlRefused } from '../../outbound/webhook-url.ts';
import { createWebhook, maxWebhooks, renewSecrets, rotateSecret } from '../../outbound/webhooks.ts';
import { listWebhooks } from '../../store/lists/list-webhooks.ts';
import type { Database } from '../../store/postgres/database.ts';
import { findWebhook, removeWebhook, type WebhookKey, type WebhookRow } from '../../store/tables/webhooks/webhooks.ts';
import { openCommandStore, requireKnownProject } from '../open-command-store.ts';
import { type CommandOptions, formatTable, joinLines, type Outcome } from '../run-command.ts';
import type { WebhooksCommand } from './webhooks-command.ts';

/** Runs the command on the database of the environment, and returns the lines to print. */
export async function webhooks(command: WebhooksCommand, { signal }: CommandOptions): Promise<string[]> {
  await using cleanup = new AsyncDisposableStack();
  const { config, database } = await openCommandStore(signal, cleanup);
  return await runWebhooksCommand({ database, outbound: createOutbound(config), signal }, command);
}

interface Parts {
  database: Database;
  outbound: Outbound;
  signal: AbortSignal;
}

type Command<Kind extends WebhooksCommand['kind']> = Extract<WebhooksCommand, { kind: Kind }>;

/** Runs the command and returns the lines to print. Throws an error whose message is one line for the operator. */
async function runWebhooksCommand(parts: Parts, command: WebhooksCommand): Promise<string[]> {
  const { isJson } = command;
  const projectId = await requireKnownProject(parts.database, command);
  if (command.kind === 'create') return create(parts, { ...command, projectId });
  if (command.kind === 'list') return list(parts, { projectId, isJson });
  const key = { projectId, webhookId: command.webhookId };
  if (command.kind === 'test') return test(parts, key, isJson);
  if (command.kind === 'rotate') return rotate(parts, key, isJson);
  if (!(await removeWebhook(parts.database, key))) throw unknownWebhook(key);
  return [isJson ? JSON.stringify({ webhookId: key.webhookId, state: 'removed' }) : `removed ${key.webhookId}`];
}

const unknownWebhook = ({ webhookId }: WebhookKey) =>
  new Error(`webhook ${webhookId} does not exist in this repository, or was removed`);

async function create(
  { database, outbound }: Parts,
  { projectId, url, events, isJson }: Command<'create'> & { projectId: string },
): Promise<string[]> {
  try {
    await checkWebhookUrl(url, { ...outbound, withinMs: outbound.timing.resolveWithinMs });
  } catch (error) {
    throw error instanceof UrlRefused ? new Error(`the URL ${error.message}`) : error;
  }
  const created = await createWebhook({ database, ...outbound }, { projectId, url, events });
  if (created.kind === 'too_many') throw new Error(`the repository has ${maxWebhooks} webhooks: remove one first`);
  return showSecret(created, isJson);
}

async function rotate({ database, outbound }: Parts, key: WebhookKey, isJson: boolean): Promise<string[]> {
  const rotated = await rotateSecret({ database, ...outbound }, key);
  if (!rotated) throw unknownWebhook(key);
  return showSecret(rotated, isJson);
}

function showSecret({ webhook, secret }: { webhook: WebhookRow; secret: string }, isJson: boolean): string[] {
  if (isJson) return [JSON.stringify({ ...describeWebhook(webhook), secret })];
  return [
    `webhook  ${webhook.webhook_id}`,
    `url      ${webhook.url}`,
    `secret   ${secret}`,
    'Copy the secret now. Pagewright does not show it again.',
  ];
}

async function test({ database, outbound, signal }: Parts, key: WebhookKey, isJson: boolean): Promise<string[]> {
  const webhook = await findWebhook(database, key);
  if (!webhook) throw unknownWebhook(key);
  const { state, response_status: status, error } = await testWebhook({ database, outbound }, webhook, signal);
  if (error !== null) throw new Error(`${webhook.url} did not accept the test: ${error}`);
  return [
    isJson ? JSON.stringify({ webhookId: key.webhookId, state, responseStatus: status }) : `delivered: ${status}`,
  ];
}

async function list(
  { database }: Parts,
  { projectId, isJson }: { projectId: string; isJson: boolean },
): Promise<string[]> {
  const { items } = await listWebhooks(database, projectId, { limit: maxWebhooks });
  const webhooks = items.map(describeWebhook);
  if (isJson) return [JSON.stringify({ projectId, webhooks })];
  const rows = webhooks.map(({ webhookId, url, events, state, createdAt, disabledReason }) => [
    webhookId,
    url,
    events.join(','),
    disabledReason === null ? state : `${state}: ${disabledReason}`,
    createdAt.slice(0, 10),
  ]);
  return formatTable([['WEBHOOK ID', 'URL', 'EVENTS', 'STATE', 'CREATED'], ...rows]);
}

const describeWebhook = (webhook: WebhookRow) => ({
  webhookId: webhook.webhook_id,
  url: webhook.url,
  events: webhook.events,
  state: webhook.disabled_at ? 'disabled' : 'enabled',
  disabledReason: webhook.disabled_reason,
  createdAt: webhook.created_at.toISOString(),
});

/** Encrypts the secrets of all webhooks again. Fails if some could not be read. */
export async function rotateSecretsKey({ isJson }: { isJson: boolean }, { signal }: CommandOptions): Promise<Outcome> {
  await using cleanup = new AsyncDisposableStack();
  const { config, database } = await openCommandStore(signal, cleanup);
  const { seal } = createOutbound(config);
  const found = await renewSecrets({ database, seal });
  const { webhooks, renewed, lost } = found;
  const advice =
    lost.length === 0
      ? 'You can remove the other keys now.'
      : `None of the keys decrypts the secrets of ${lost.join(', ')}: add the key that does, or rotate each with pagewright webhooks rotate.`;
  const lines = [`encrypted the secrets of ${renewed} of ${webhooks} webhooks with the first key`, advice];
  return { text: joinLines(isJson ? [JSON.stringify(found)] : lines), hasFailed: lost.length > 0 };
}
