import { expect, test } from 'vitest';
import { describeError } from '../../src/cli/describe-error.ts';
import { UsageError } from '../../src/cli/keys-command.ts';
import { ConfigError } from '../../src/config/config.ts';
import { GitHubRefusal } from '../../src/github/refusals/github-refusal.ts';

const cause = new Error('it was away');

test.each<[string, unknown, string]>([
  ['an error and its cause', new Error('could not ask', { cause }), 'could not ask: it was away'],
  ['a sentence and its cause', new Error('It failed.', { cause }), 'It failed: it was away'],
  [
    'a refusal, without its cause',
    new GitHubRefusal({ reason: 'refused', what: 'do it', words: 'no' }, { cause }),
    'GitHub refused to do it: no.',
  ],
  ['a wrong command line', new UsageError('name a command', { cause }), 'name a command'],
  ['a wrong configuration', new ConfigError(['A: x', 'B: y']), 'the configuration is wrong: A: x; B: y'],
  ['lines', new Error('one\n  two'), 'one two'],
  ['no error at all', 'text', 'text'],
])('%s', (_name, error, line) => {
  expect(describeError(error)).toBe(line);
});
