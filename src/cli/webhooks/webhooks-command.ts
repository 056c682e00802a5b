import { parseArgs } from 'node:util';
import { webhookEvents } from '../../outbound/webhooks.ts';
import type { WebhookEvent } from '../../store/tables/schema.ts';
import { parseRepository } from '../parse-repository.ts';
import { UsageError } from '../usage-error.ts';

export const usage = `Usage: npm run -s webhooks -- COMMAND

  create OWNER/REPO URL [--events EVENTS] [--json]   create a webhook and show its secret once
  list OWNER/REPO [--json]                           list the webhooks of a repository
  test OWNER/REPO WEBHOOK_ID [--json]                send a test now; a success switches the webhook on again
  rotate OWNER/REPO WEBHOOK_ID [--json]              show a new secret; the one before is valid for 24 hours, too
  remove OWNER/REPO WEBHOOK_ID                       remove a webhook

--events  separated by commas: ${webhookEvents.join(',')}; default: all
--json    print one line of JSON

The command reads the same environment, .env and registered App as the service. The service may be running.
`;

interface OfRepository {
  owner: string;
  repo: string;
  isJson: boolean;
}

export type WebhooksCommand =
  | { kind: 'help' }
  | ({ kind: 'create'; url: string; events: readonly WebhookEvent[] } & OfRepository)
  | ({ kind: 'list' } & OfRepository)
  | ({ kind: 'test' | 'rotate' | 'remove'; webhookId: string } & OfRepository);

const options = {
  events: { type: 'string' },
  json: { type: 'boolean', default: false },
  help: { type: 'boolean', short: 'h', default: false },
} as const;

const actions = ['test', 'rotate', 'remove'] as const;

/** Reads the arguments of `npm run webhooks --`. Throws `UsageError`. */
export function parseWebhooksCommand(args: string[]): WebhooksCommand {
  const { values, positionals } = parse(args);
  const [kind, repository, subject, ...rest] = positionals;
  if (values.help || kind === 'help') return { kind: 'help' };
  const action = actions.find((name) => name === kind);
  if (kind !== 'create' && kind !== 'list' && !action)
    throw new UsageError(kind === undefined ? 'missing command' : `unknown command ${kind}`);
  if (kind !== 'create' && values.events !== undefined) throw new UsageError(`${kind} takes no --events`);
  const of = { ...parseRepository(repository), isJson: values.json };
  if (rest.length > 0 || (kind === 'list' && subject !== undefined))
    throw new UsageError(`${kind} takes fewer arguments`);
  if (kind === 'list') return { kind, ...of };
  if (action) {
    if (!/^whk_[0-9a-z]{26}$/.test(subject ?? ''))
      throw new UsageError(`missing webhook id: ${action} ${repository} whk_…`);
    return { kind: action, webhookId: subject ?? '', ...of };
  }
  if (subject === undefined) throw new UsageError(`missing URL: create ${repository} https://…`);
  return { kind: 'create', url: subject, events: parseEvents(values.events), ...of };
}

function parse(args: string[]) {
  try {
    return parseArgs({ args, options, allowPositionals: true });
  } catch (error) {
    throw new UsageError(error instanceof Error ? error.message : 'invalid options', { cause: error });
  }
}

function parseEvents(text: string | undefined): readonly WebhookEvent[] {
  if (text === undefined) return webhookEvents;
  const names = text.split(',').map((name) => name.trim());
  const unknown = names.find((name) => !webhookEvents.some((event) => event === name));
  if (unknown !== undefined) throw new UsageError(`unknown event ${unknown}: use ${webhookEvents.join(',')}`);
  return webhookEvents.filter((event) => names.includes(event));
}
