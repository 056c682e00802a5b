import { expect, test } from 'vitest';
import { describeError } from '../../src/cli/describe-error.ts';
import { parseKeysCommand } from '../../src/cli/keys-command.ts';
import { UsageError } from '../../src/cli/usage-error.ts';
import { ConfigError } from '../../src/config/config.ts';
import { GitHubRefusal } from '../../src/github/refusals/github-refusal.ts';

const repository = { owner: 'acme', repo: 'docs' };
const hourMs = 3_600_000;

test.each([
  ['create acme/docs --name ci', { kind: 'create', ...repository, name: 'ci', lifetimeMs: null, isJson: false }],
  ['create acme/docs --name=ci --json', { kind: 'create', ...repository, name: 'ci', lifetimeMs: null, isJson: true }],
  [
    '--name ci create acme/docs --expires 12h',
    { kind: 'create', ...repository, name: 'ci', lifetimeMs: 12 * hourMs, isJson: false },
  ],
  [
    'create a.b-c/d_e.f --name x --expires 90d',
    { kind: 'create', owner: 'a.b-c', repo: 'd_e.f', name: 'x', lifetimeMs: 90 * 24 * hourMs, isJson: false },
  ],
  ['list acme/docs', { kind: 'list', ...repository, isJson: false }],
  ['list acme/docs --json', { kind: 'list', ...repository, isJson: true }],
  ['revoke key_x', { kind: 'revoke', keyId: 'key_x' }],
  ['--help', { kind: 'help' }],
  ['create -h', { kind: 'help' }],
  ['help', { kind: 'help' }],
])('%s', (line, command) => {
  expect(parseKeysCommand(line.split(' '))).toEqual(command);
});

test.each([
  ['', 'missing command'],
  ['delete acme/docs', 'unknown command delete'],
  ['create', 'OWNER/REPO'],
  ['create acme --name ci', 'OWNER/REPO'],
  ['create https://github.com/acme/docs --name ci', 'OWNER/REPO'],
  ['create acme/docs', '--name'],
  ['create acme/docs --name', '--name'],
  ['create acme/docs acme/other --name ci', 'one argument, not 2'],
  ['create acme/docs --name ci --expires soon', '12h, 90d, 4w or 1y'],
  ['create acme/docs --name ci --expires 0d', '12h, 90d, 4w or 1y'],
  ['create acme/docs --name ci --expires 999999y', '12h, 90d, 4w or 1y'],
  ['create acme/docs --name ci --expires=-1d', '12h, 90d, 4w or 1y'],
  ['create acme/docs --name ci --color', '--color'],
  ['list', 'OWNER/REPO'],
  ['list acme/docs --name ci', 'list takes no --name'],
  ['revoke', 'key_'],
])('%j throws a UsageError of one line', (line, why) => {
  const parse = () => parseKeysCommand(line === '' ? [] : line.split(' '));
  expect(parse).toThrow(UsageError);
  expect(parse).toThrow(why);
  expect(parse).not.toThrow('\n');
});

test.each(['', '   ', 'a\nb', 'a\u202eb', 'x'.repeat(101)])('%j is not a valid name', (name) => {
  expect(() => parseKeysCommand(['create', 'acme/docs', '--name', name])).toThrow('--name');
});

const cause = new Error('it is unreachable');

test.each<[string, unknown, string]>([
  ['an error with its cause', new Error('could not ask', { cause }), 'could not ask: it is unreachable'],
  ['a sentence with its cause', new Error('It failed.', { cause }), 'It failed: it is unreachable'],
  [
    'a refusal, without its cause',
    new GitHubRefusal({ reason: 'refused', what: 'do it', words: 'no' }, { cause }),
    'GitHub refused to do it: no.',
  ],
  ['a wrong command line', new UsageError('missing command', { cause }), 'missing command'],
  ['a wrong configuration', new ConfigError(['A: x', 'B: y']), 'invalid configuration: A: x; B: y'],
  ['an error of several lines', new Error('one\n  two'), 'one two'],
  ['a value that is not an error', 'text', 'text'],
])('describes %s', (_name, error, line) => {
  expect(describeError(error)).toBe(line);
});
