import { Command } from 'commander';
import { expect, test } from 'vitest';
import { createAutomationsCommand } from '../../src/cli/automations/automations-command.ts';
import { formatEvent } from '../../src/cli/jobs/format-event.ts';
import { createJobsCommand } from '../../src/cli/jobs/jobs-command.ts';
import { createKeysCommand } from '../../src/cli/keys-command.ts';
import { reportUsage, UsageError } from '../../src/cli/report-usage.ts';
import { findUserName } from '../../src/cli/run-command.ts';
import { createWebhooksCommand } from '../../src/cli/webhooks/webhooks-command.ts';
import { defaultWebhookEvents } from '../../src/store/tables/columns.ts';

const repository = { owner: 'acme', repo: 'docs' };
const hourMs = 3_600_000;
const webhookId = 'whk_01jd2x8e4vf3r9c5w7k6t0mzqa';
const url = 'https://a.example/hook';
const jobId = 'job_01jd2x8e4vf3r9c5w7k6t0mzqa';

async function parse(args: readonly string[]): Promise<object | undefined> {
  let parsed: object | undefined;
  const run = async (command: object) => {
    parsed = command;
  };
  const commands = [
    createAutomationsCommand(run),
    createJobsCommand({ userName: 'rita', readStdin: async () => ' From a file.\n', run }),
    createKeysCommand(run),
    createWebhooksCommand(run),
  ];
  const program = new Command('pagewright');
  for (const command of commands) program.addCommand(command);
  reportUsage(program);
  // Help goes to stderr when the command is missing.
  for (const command of commands) command.configureOutput({ writeErr: () => {} });
  await program.parseAsync(args, { from: 'user' });
  return parsed;
}

test.each<[string, object]>([
  ['automations list acme/docs', { kind: 'list', ...repository, isJson: false }],
  ['automations list --json acme/docs', { kind: 'list', ...repository, isJson: true }],
  ['automations run acme/docs api', { kind: 'run', ...repository, name: 'api', pullRequest: undefined, isJson: false }],
  [
    'automations run acme/docs api --pull-request acme/a.p_i#12 --json',
    {
      kind: 'run',
      ...repository,
      name: 'api',
      pullRequest: { owner: 'acme', repo: 'a.p_i', number: 12 },
      isJson: true,
    },
  ],
  ['automations pause acme/docs 2-a', { kind: 'pause', ...repository, name: '2-a', isJson: false }],
  ['automations resume acme/docs api --json', { kind: 'resume', ...repository, name: 'api', isJson: true }],
  ['keys create acme/docs --name ci', { kind: 'create', ...repository, name: 'ci', lifetimeMs: null, isJson: false }],
  [
    'keys create acme/docs --name=ci --json',
    { kind: 'create', ...repository, name: 'ci', lifetimeMs: null, isJson: true },
  ],
  [
    'keys create --name ci acme/docs --expires 12h',
    { kind: 'create', ...repository, name: 'ci', lifetimeMs: 12 * hourMs, isJson: false },
  ],
  [
    'keys create a.b-c/d_e.f --name x --expires 90d',
    { kind: 'create', owner: 'a.b-c', repo: 'd_e.f', name: 'x', lifetimeMs: 90 * 24 * hourMs, isJson: false },
  ],
  ['keys list acme/docs', { kind: 'list', ...repository, isJson: false }],
  ['keys list acme/docs --json', { kind: 'list', ...repository, isJson: true }],
  ['keys revoke key_x', { kind: 'revoke', keyId: 'key_x', isJson: false }],
  [
    `webhooks create acme/docs ${url}`,
    { kind: 'create', ...repository, url, events: defaultWebhookEvents, isJson: false },
  ],
  [
    `webhooks create acme/docs ${url} --events job.failed,job.completed --json`,
    { kind: 'create', ...repository, url, events: ['job.completed', 'job.failed'], isJson: true },
  ],
  ['webhooks list acme/docs', { kind: 'list', ...repository, isJson: false }],
  [`webhooks test acme/docs ${webhookId}`, { kind: 'test', ...repository, webhookId, isJson: false }],
  [`webhooks rotate acme/docs ${webhookId} --json`, { kind: 'rotate', ...repository, webhookId, isJson: true }],
  [`webhooks remove acme/docs ${webhookId}`, { kind: 'remove', ...repository, webhookId, isJson: false }],
])('%s', async (line, command) => {
  expect(await parse(line.split(' '))).toEqual(command);
});

const target = { ...repository, isJson: false, isDetached: false };

test.each<[string, string[], object]>([
  [
    'create',
    ['create', 'acme/docs', 'Fix it.'],
    { kind: 'create', prompt: 'Fix it.', author: 'rita', ref: null, draft: null },
  ],
  [
    'create with options',
    ['create', 'acme/docs', '-', '--ref', 'v2', '--model', 'gpt-5', '--draft', '--as', 'ci', '--detach', '--json'],
    { prompt: 'From a file.', author: 'ci', ref: 'v2', model: 'gpt-5', draft: true, isDetached: true, isJson: true },
  ],
  [
    'a ref as git writes it',
    ['create', 'acme/docs', 'Fix it.', '--ref', 'refs/heads/docs/v2'],
    { kind: 'create', ref: 'docs/v2' },
  ],
  ['message', ['message', 'acme/docs', jobId, 'And this.'], { ...target, kind: 'message', jobId, prompt: 'And this.' }],
  ['watch', ['watch', 'acme/docs', jobId], { ...target, kind: 'watch', jobId }],
  [
    'list',
    ['list', 'acme/docs'],
    { ...target, kind: 'list', statuses: ['active', 'completed', 'failed', 'archived'], limit: 20 },
  ],
  [
    'list with options',
    ['list', 'acme/docs', '--status', 'active, failed', '--limit', '100', '--json'],
    { kind: 'list', statuses: ['active', 'failed'], limit: 100, isJson: true },
  ],
  ['cancel', ['cancel', 'acme/docs', jobId], { ...target, kind: 'cancel', jobId }],
])('%s of a job is read', async (_name, args, expected) => {
  expect(await parse(['jobs', ...args])).toMatchObject(expected);
});

test.each<[string, string | RegExp]>([
  ['automations', /^missing command \(see: pagewright automations --help\)$/],
  ['automations start acme/docs api', /unknown command 'start'/],
  ['automations list', /OWNER\/REPO/],
  ['automations list acme', /OWNER\/REPO, such as acme\/docs/],
  ['automations run acme/docs', /NAME.*\(see: pagewright automations run --help\)$/],
  ['automations run acme/docs API', /letters a-z, digits and hyphens/],
  [`automations run acme/docs ${'a'.repeat(41)}`, /at most 40 letters/],
  ['automations run acme/docs api --pull-request 12', /owner\/name#number/],
  ['automations run acme/docs api --pull-request acme/api#0', /owner\/name#number/],
  ['automations run acme/docs api --pull-request https://github.com/acme/api/pull/1', /owner\/name#number/],
  ['automations pause acme/docs api --pull-request acme/api#1', /unknown option '--pull-request'/],
  ['automations resume acme/docs api other', /Expected 2 arguments but got 3/],
  ['keys help creat', /^unknown command 'creat' \(see: pagewright keys --help\)$/],
  ['keys', /^missing command \(see: pagewright keys --help\)$/],
  ['keys delete acme/docs', /unknown command 'delete'/],
  ['keys create --name ci', /OWNER\/REPO.*\(see: pagewright keys create --help\)$/],
  ['keys create acme --name ci', /OWNER\/REPO, such as acme\/docs/],
  ['keys create https://github.com/acme/docs --name ci', /OWNER\/REPO, such as acme\/docs/],
  ['keys create acme/docs', /--name/],
  ['keys create acme/docs --name', /--name/],
  ['keys create acme/docs --nam ci', /'--name <name>' not specified; unknown option '--nam'/],
  ['keys create acme/docs acme/other --name ci', /Expected 1 argument but got 2/],
  ['keys create acme/docs --name ci --expires soon', /12h, 90d, 4w or 1y/],
  ['keys create acme/docs --name ci --expires 0d', /12h, 90d, 4w or 1y/],
  ['keys create acme/docs --name ci --expires 999999y', /12h, 90d, 4w or 1y/],
  ['keys create acme/docs --name ci --expires=-1d', /12h, 90d, 4w or 1y/],
  ['keys create acme/docs --name ci --color', /--color/],
  ['keys list', /OWNER\/REPO/],
  ['keys list acme/docs --name ci', /unknown option '--name'/],
  ['keys revoke', /KEY_ID/],
  ['webhooks', 'missing command'],
  ['webhooks delete acme/docs', "unknown command 'delete'"],
  ['webhooks create', 'OWNER/REPO'],
  ['webhooks create acme/docs', "missing required argument 'URL'"],
  [`webhooks create acme/docs ${url} --events job.created`, 'unknown event job.created'],
  [`webhooks create acme/docs ${url} more`, 'Expected 2 arguments but got 3'],
  ['webhooks list acme/docs more', 'Expected 1 argument but got 2'],
  ['webhooks list acme/docs --events job.failed', "unknown option '--events'"],
  ['webhooks test acme/docs', "missing required argument 'WEBHOOK_ID'"],
  ['webhooks remove acme/docs key_x', 'whk_…'],
  ['webhooks list acme/docs --color', '--color'],
])('%j throws a UsageError that says why', async (line, why) => {
  const parsing = parse(line.split(' '));
  await expect(parsing).rejects.toThrow(UsageError);
  await expect(parsing).rejects.toThrow(why);
});

test.each<[string[], RegExp]>([
  [[], /missing command/],
  [['delete', 'acme/docs'], /unknown command 'delete'/],
  [['create', 'acme', 'Fix it.'], /the value 'acme' is invalid for argument 'OWNER\/REPO': write the repository/],
  [['create', 'acme/docs'], /missing required argument 'PROMPT'/],
  [['create', 'acme/docs', 'Fix', 'it'], /Expected 2 arguments but got 3/],
  [['create', 'acme/docs', ' '], /the prompt must have 1 to 32,000 characters/],
  [['create', 'acme/docs', '\u200b \u202e'], /the prompt must have visible characters/],
  [['create', 'acme/docs', 'Fix it.', '--ref', 'refs/tags/v1'], /write the name of a branch/],
  [['create', 'acme/docs', 'Fix it.', '--ref', '../x'], /--ref/],
  [['create', 'acme/docs', 'Fix it.', '--as', '\u202e'], /--as/],
  [['list', 'acme/docs', '--status', 'done'], /write some of: active, completed, failed, archived/],
  [['list', 'acme/docs', '--limit', '0'], /write a number from 1 to 100/],
  [['watch', 'acme/docs', 'job_1'], /job_1 is not a job id/],
  [['watch', 'acme/docs', jobId, '--detach'], /unknown option '--detach'/],
  [['cancel', 'acme/docs', jobId, '--draft'], /unknown option '--draft'/],
  [['create', 'acme/docs', 'Fix it.', '--force'], /force/],
])('jobs %j is refused', async (args, message) => {
  await expect(parse(['jobs', ...args])).rejects.toThrow(message);
});

test.each(['', '   ', 'a\nb', 'a\u202eb', 'x'.repeat(101)])('%j is not a valid name', async (name) => {
  await expect(parse(['keys', 'create', 'acme/docs', '--name', name])).rejects.toThrow('--name');
});

test('a line has no control characters and is bounded', () => {
  const at = new Date('2026-11-20T20:06:07Z');
  const text = `Hello\u001b[31m\n\u202eworld ${'x'.repeat(500)}`;
  const line = formatEvent({ type: 'turn.answered', at, data: { text } }) ?? '';
  expect(line).toMatch(/^20:06:07 {4}Hello \[31m world x+…$/);
  expect(line.length).toBeLessThanOrEqual(210);
  const ended = { number: 1, code: 'unchanged', sentence: 'Nothing needed to change.', tokensIn: 9, tokensOut: 1 };
  expect(
    formatEvent({ type: 'run.ended', at, data: { ...ended, summary: 'It is 100.\n\n\u001b[31mSee /limits.' } }),
  ).toBe(
    '20:06:07  run 1 ended, unchanged: Nothing needed to change. (9 tokens in, 1 out)\n            It is 100.\n             [31mSee /limits.',
  );
  expect(formatEvent({ type: 'run.ended', at, data: ended })).not.toContain('\n');
  expect(formatEvent({ type: 'of.later', at, data: {} })).toBeUndefined();
});

const nameless = () => {
  throw new Error('uv_os_get_passwd returned ENOENT');
};

test.each([
  ['the environment', { USER: 'rita' }, nameless, /^rita$/],
  ['the system', {}, () => ({ username: 'paul' }), /^paul$/],
  ['its id, where that has no name', {}, nameless, /^uid \d+$/],
] as const)('who asks is named by %s', (_what, environment, readUser, name) => {
  expect(findUserName(environment, readUser)).toMatch(name);
});
