import { expect, test } from 'vitest';
import { createKeysCommand, type KeysCommand } from '../../src/cli/keys-command.ts';
import { reportUsage } from '../../src/cli/report-usage.ts';
import { UsageError } from '../../src/cli/usage-error.ts';

const repository = { owner: 'acme', repo: 'docs' };
const hourMs = 3_600_000;

async function parse(args: string[]): Promise<KeysCommand | undefined> {
  let parsed: KeysCommand | undefined;
  const keys = createKeysCommand(async (command) => {
    parsed = command;
  });
  reportUsage(keys, 'pagewright keys');
  // Help goes to stderr when the command is missing.
  keys.configureOutput({ writeErr: () => {} });
  await keys.parseAsync(args, { from: 'user' });
  return parsed;
}

test.each([
  ['create acme/docs --name ci', { kind: 'create', ...repository, name: 'ci', lifetimeMs: null, isJson: false }],
  ['create acme/docs --name=ci --json', { kind: 'create', ...repository, name: 'ci', lifetimeMs: null, isJson: true }],
  [
    'create --name ci acme/docs --expires 12h',
    { kind: 'create', ...repository, name: 'ci', lifetimeMs: 12 * hourMs, isJson: false },
  ],
  [
    'create a.b-c/d_e.f --name x --expires 90d',
    { kind: 'create', owner: 'a.b-c', repo: 'd_e.f', name: 'x', lifetimeMs: 90 * 24 * hourMs, isJson: false },
  ],
  ['list acme/docs', { kind: 'list', ...repository, isJson: false }],
  ['list acme/docs --json', { kind: 'list', ...repository, isJson: true }],
  ['revoke key_x', { kind: 'revoke', keyId: 'key_x', isJson: false }],
])('%s', async (line, command) => {
  expect(await parse(line.split(' '))).toEqual(command);
});

test.each([
  ['help creat', /^unknown command 'creat' \(see: pagewright keys --help\)$/],
  ['', /^missing command \(see: pagewright keys --help\)$/],
  ['delete acme/docs', /unknown command 'delete'/],
  ['create --name ci', /OWNER\/REPO.*\(see: pagewright keys create --help\)$/],
  ['create acme --name ci', /OWNER\/REPO, such as acme\/docs/],
  ['create https://github.com/acme/docs --name ci', /OWNER\/REPO, such as acme\/docs/],
  ['create acme/docs', /--name/],
  ['create acme/docs --name', /--name/],
  ['create acme/docs --nam ci', /'--name <name>' not specified; unknown option '--nam'/],
  ['create acme/docs acme/other --name ci', /Expected 1 argument but got 2/],
  ['create acme/docs --name ci --expires soon', /12h, 90d, 4w or 1y/],
  ['create acme/docs --name ci --expires 0d', /12h, 90d, 4w or 1y/],
  ['create acme/docs --name ci --expires 999999y', /12h, 90d, 4w or 1y/],
  ['create acme/docs --name ci --expires=-1d', /12h, 90d, 4w or 1y/],
  ['create acme/docs --name ci --color', /--color/],
  ['list', /OWNER\/REPO/],
  ['list acme/docs --name ci', /unknown option '--name'/],
  ['revoke', /KEY_ID/],
])('%j throws a UsageError that says why', async (line, why) => {
  const parsing = parse(line === '' ? [] : line.split(' '));
  await expect(parsing).rejects.toThrow(UsageError);
  await expect(parsing).rejects.toThrow(why);
});

test.each(['', '   ', 'a\nb', 'a\u202eb', 'x'.repeat(101)])('%j is not a valid name', async (name) => {
  await expect(parse(['create', 'acme/docs', '--name', name])).rejects.toThrow('--name');
});
