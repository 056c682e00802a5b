import { Command, InvalidArgumentError } from 'commander';
import { isId } from '../../ids.ts';
import { defaultWebhookEvents, type WebhookEvent, webhookEvents } from '../../store/tables/columns.ts';
import { addRepositoryCommand, type OfRepository, type RepositoryArgument } from '../repository-command.ts';

export type WebhooksCommand =
  | ({ kind: 'create'; url: string; events: readonly WebhookEvent[] } & OfRepository)
  | ({ kind: 'list' } & OfRepository)
  | ({ kind: 'test' | 'rotate' | 'remove'; webhookId: string } & OfRepository);

/** `pagewright webhooks`: parses the arguments and passes them to `run`. */
export function createWebhooksCommand(run: (command: WebhooksCommand) => Promise<void>): Command {
  const webhooks = new Command('webhooks')
    .summary('create, test, rotate and remove webhooks of a repository')
    .description(
      'Create, list, test, rotate and remove webhooks. Reads the same environment, .env and registered App as the service, which may be running.',
    )
    .addHelpText(
      'afterAll',
      `
Examples:
  pagewright webhooks create acme/docs https://hooks.example.com/pagewright --events job.completed,job.failed
  pagewright webhooks list acme/docs --json
  pagewright webhooks rotate acme/docs whk_01jd2x8e4vf3r9c5w7k6t0mzqa`,
    );
  const add = (name: string, does: string) => addRepositoryCommand(webhooks, name, { does });

  add('create', 'create a webhook and show its secret once')
    .argument('<URL>', 'where to send them: https://…')
    .option(
      '--events <events>',
      `separated by commas: ${webhookEvents.join(',')} (default: all but automation.unchanged)`,
      parseEvents,
    )
    .action(
      (repository: RepositoryArgument, url: string, options: { events?: readonly WebhookEvent[]; json: boolean }) =>
        run({
          kind: 'create',
          ...repository,
          url,
          events: options.events ?? defaultWebhookEvents,
          isJson: options.json,
        }),
    );
  add('list', 'list the webhooks of a repository').action(
    (repository: RepositoryArgument, { json }: { json: boolean }) => run({ kind: 'list', ...repository, isJson: json }),
  );
  for (const [kind, description] of [
    ['test', 'send a test now; a success enables the webhook again'],
    ['rotate', 'show a new secret; the previous one stays valid for 24 hours'],
    ['remove', 'remove a webhook'],
  ] as const) {
    add(kind, description)
      .argument('<WEBHOOK_ID>', 'whk_…', parseWebhookId)
      .action((repository: RepositoryArgument, webhookId: string, { json }: { json: boolean }) =>
        run({ kind, ...repository, webhookId, isJson: json }),
      );
  }
  return webhooks;
}

function parseWebhookId(text: string): string {
  if (!isId('whk', text)) throw new InvalidArgumentError('write the id of a webhook, whk_…');
  return text;
}

function parseEvents(text: string): readonly WebhookEvent[] {
  const names = text.split(',').map((name) => name.trim());
  const unknown = names.find((name) => !webhookEvents.some((event) => event === name));
  if (unknown !== undefined) throw new InvalidArgumentError(`unknown event ${unknown}: use ${webhookEvents.join(',')}`);
  return webhookEvents.filter((event) => names.includes(event));
}

/** `pagewright rotate-secrets-key`: passes the arguments to `run`. */
export function createRotateSecretsKeyCommand(run: (command: { isJson: boolean }) => Promise<void>): Command {
  return new Command('rotate-secrets-key')
    .summary('encrypt the secrets of all webhooks with the first key of SECRETS_KEY')
    .description(
      `Encrypts the secrets of all webhooks with the first key of SECRETS_KEY, or of DATA_DIR/secrets.key. The other keys there only
decrypt; afterwards you can remove them. Before you run it, put the new key first and restart every process. The
service may be running. Nothing changes for callers.`,
    )
    .option('--json', 'print one line of JSON', false)
    .addHelpText(
      'after',
      `
Exit code: 0 if all secrets are encrypted with the first key, 1 if some cannot be decrypted with any key.

Examples:
  pagewright rotate-secrets-key
  SECRETS_KEY=$NEW,$OLD pagewright rotate-secrets-key --json`,
    )
    .action(({ json }: { json: boolean }) => run({ isJson: json }));
}
