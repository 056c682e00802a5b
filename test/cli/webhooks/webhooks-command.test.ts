import { expect, test } from 'vitest';
import { reportUsage } from '../../../src/cli/report-usage.ts';
import { UsageError } from '../../../src/cli/usage-error.ts';
import { createWebhooksCommand, type WebhooksCommand } from '../../../src/cli/webhooks/webhooks-command.ts';
import { defaultWebhookEvents } from '../../../src/store/tables/columns.ts';

const repository = { owner: 'acme', repo: 'docs' };
const webhookId = 'whk_01jd2x8e4vf3r9c5w7k6t0mzqa';
const url = 'https://a.example/hook';

async function parse(args: string[]): Promise<WebhooksCommand | undefined> {
  let parsed: WebhooksCommand | undefined;
  const webhooks = createWebhooksCommand(async (command) => {
    parsed = command;
  });
  reportUsage(webhooks, 'pagewright webhooks');
  // Help goes to stderr when the command is missing.
  webhooks.configureOutput({ writeErr: () => {} });
  await webhooks.parseAsync(args, { from: 'user' });
  return parsed;
}

test.each([
  [`create acme/docs ${url}`, { kind: 'create', ...repository, url, events: defaultWebhookEvents, isJson: false }],
  [
    `create acme/docs ${url} --events job.failed,job.completed --json`,
    { kind: 'create', ...repository, url, events: ['job.completed', 'job.failed'], isJson: true },
  ],
  ['list acme/docs', { kind: 'list', ...repository, isJson: false }],
  [`test acme/docs ${webhookId}`, { kind: 'test', ...repository, webhookId, isJson: false }],
  [`rotate acme/docs ${webhookId} --json`, { kind: 'rotate', ...repository, webhookId, isJson: true }],
  [`remove acme/docs ${webhookId}`, { kind: 'remove', ...repository, webhookId, isJson: false }],
])('%s', async (line, command) => {
  expect(await parse(line.split(' '))).toEqual(command);
});

test.each([
  ['', 'missing command'],
  ['delete acme/docs', "unknown command 'delete'"],
  ['create', 'OWNER/REPO'],
  ['create acme/docs', "missing required argument 'URL'"],
  [`create acme/docs ${url} --events job.created`, 'unknown event job.created'],
  [`create acme/docs ${url} more`, 'Expected 2 arguments but got 3'],
  ['list acme/docs more', 'Expected 1 argument but got 2'],
  ['list acme/docs --events job.failed', "unknown option '--events'"],
  ['test acme/docs', "missing required argument 'WEBHOOK_ID'"],
  ['remove acme/docs key_x', 'whk_…'],
  ['list acme/docs --color', '--color'],
])('%j throws a UsageError that says why', async (line, why) => {
  const parsing = parse(line === '' ? [] : line.split(' '));
  await expect(parsing).rejects.toThrow(UsageError);
  await expect(parsing).rejects.toThrow(why);
});
