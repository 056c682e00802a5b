import { expect, test } from 'vitest';
import { UsageError } from '../../../src/cli/usage-error.ts';
import { parseWebhooksCommand } from '../../../src/cli/webhooks/webhooks-command.ts';
import { webhookEvents } from '../../../src/outbound/webhooks.ts';

const repository = { owner: 'acme', repo: 'docs' };
const webhookId = 'whk_01jd2x8e4vf3r9c5w7k6t0mzqa';
const url = 'https://a.example/hook';

test.each([
  [`create acme/docs ${url}`, { kind: 'create', ...repository, url, events: webhookEvents, isJson: false }],
  [
    `create acme/docs ${url} --events job.failed,job.completed --json`,
    { kind: 'create', ...repository, url, events: ['job.completed', 'job.failed'], isJson: true },
  ],
  ['list acme/docs', { kind: 'list', ...repository, isJson: false }],
  [`test acme/docs ${webhookId}`, { kind: 'test', ...repository, webhookId, isJson: false }],
  [`rotate acme/docs ${webhookId} --json`, { kind: 'rotate', ...repository, webhookId, isJson: true }],
  [`remove acme/docs ${webhookId}`, { kind: 'remove', ...repository, webhookId, isJson: false }],
  ['--help', { kind: 'help' }],
  ['help', { kind: 'help' }],
])('%s', (line, command) => {
  expect(parseWebhooksCommand(line.split(' '))).toEqual(command);
});

test.each([
  ['', 'missing command'],
  ['delete acme/docs', 'unknown command delete'],
  ['create', 'OWNER/REPO'],
  ['create acme/docs', 'missing URL: create acme/docs https://…'],
  [`create acme/docs ${url} --events job.created`, 'unknown event job.created'],
  [`create acme/docs ${url} more`, 'fewer arguments'],
  ['list acme/docs more', 'fewer arguments'],
  ['list acme/docs --events job.failed', 'list takes no --events'],
  ['test acme/docs', 'missing webhook id: test acme/docs whk_…'],
  ['remove acme/docs key_x', 'missing webhook id'],
  ['list acme/docs --color', '--color'],
])('%j throws a UsageError of one line', (line, why) => {
  const parse = () => parseWebhooksCommand(line === '' ? [] : line.split(' '));
  expect(parse).toThrow(UsageError);
  expect(parse).toThrow(why);
  expect(parse).not.toThrow('\n');
});
