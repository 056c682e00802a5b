import { expect, test } from 'vitest';
import { describeError, UsageError } from '../../src/cli/report-usage.ts';
import { ConfigError } from '../../src/config/config-error.ts';
import { GitHubRefusal } from '../../src/github/refusals/github-refusal.ts';

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
