import { expect, test } from 'vitest';
import type { BranchRule } from '../../../src/github/calls/rule-calls.ts';
import { evaluateRules, findRuleFailure } from '../../../src/runs/prepare/branch-rules.ts';

const branch = 'pagewright/limit-x7';
const email = '9+pagewright[bot]@users.noreply.github.com';

const rule = (type: string, parameters: Record<string, unknown> = {}): BranchRule => ({
  type,
  parameters,
  rulesetId: 1,
});
const pattern = (type: string, operator: string, text: string, negate?: boolean) =>
  rule(type, { operator, pattern: text, ...(negate !== undefined && { negate }) });
const judge = (rules: BranchRule[], baseRules: BranchRule[] = []) => evaluateRules({ rules, baseRules });

/** What people are told; undefined: it may be pushed. */
function findRefusal(rules: BranchRule[], { isNew = true, isSigned = false }): string | undefined {
  const failure = findRuleFailure(rules, { branch, isNew, email, isSigned });
  if (failure) expect(failure.code).toBe('branch_rules');
  return failure?.message;
}

const name = (operator: string, text: string, negate?: boolean) =>
  pattern('branch_name_pattern', operator, text, negate);
const author = (operator: string, text: string) => pattern('commit_author_email_pattern', operator, text);
const committer = (operator: string, text: string) => pattern('committer_email_pattern', operator, text);
const checks = (parameters: Record<string, unknown>) => rule('required_status_checks', parameters);
const old = { isNew: false };
const signedByGitHub = { isSigned: true };
const notOurs = `requires author addresses that end with “@acme.test”, and the App’s is ${email}`;

test.each<[string, BranchRule[], { isNew?: boolean; isSigned?: boolean }, string | undefined]>([
  ['no rule', [], {}, undefined],
  ['a rule against creating a new branch', [rule('creation')], {}, 'forbids creating it'],
  ['a rule against creating an existing branch', [rule('creation')], old, undefined],
  ['a rule against updating a new branch', [rule('update')], {}, 'forbids updating it'],
  ['a rule against updating an existing branch', [rule('update')], old, 'forbids updating it'],
  ['a branch that takes pull requests only', [rule('pull_request')], old, 'allows changes to it only by pull request'],
  ['a branch with a merge queue', [rule('merge_queue')], {}, 'allows changes to it only by a merge queue'],
  ['a branch that requires checks', [checks({})], {}, 'requires checks to have passed before a push'],
  ['an existing branch that requires checks', [checks({ do_not_enforce_on_create: true })], old, 'requires checks'],
  [
    'a branch that requires checks only after its creation',
    [checks({ do_not_enforce_on_create: true })],
    {},
    undefined,
  ],
  ['rules against deletion and force-pushes', [rule('deletion'), rule('non_fast_forward')], {}, undefined],
  ['a name with a required start', [name('starts_with', 'pagewright/')], {}, undefined],
  ['a name without a required start', [name('starts_with', 'docs/')], {}, 'requires names that start with “docs/”'],
  ['a name with a required end', [name('ends_with', '-x7')], {}, undefined],
  ['a name without a required end', [name('ends_with', '-docs')], {}, 'requires names that end with “-docs”'],
  ['a name with a required part', [name('contains', 'limit')], {}, undefined],
  ['a name without a required part', [name('contains', 'ABC-')], {}, 'requires names that contain “ABC-”'],
  ['a name with a forbidden start', [name('starts_with', 'page', true)], {}, 'names that do not start with “page”'],
  ['a name without a forbidden start', [name('starts_with', 'docs/', true)], {}, undefined],
  ['an existing branch with a name that the rule forbids', [name('starts_with', 'docs/')], old, undefined],
  ['promise 7: a regular expression for names, which is never run', [name('regex', '(a+)+$')], {}, undefined],
  ['an unknown operator', [name('sounds_like', 'docs')], {}, undefined],
  ['an author with another address', [author('ends_with', '@acme.test')], {}, notOurs],
  ['an author with another address on an existing branch', [author('ends_with', '@acme.test')], old, notOurs],
  ['an author with another address on a signed commit', [author('ends_with', '@acme.test')], signedByGitHub, notOurs],
  ['an author with the required address', [author('contains', 'noreply')], {}, undefined],
  ['a committer with another address', [committer('ends_with', '@acme.test')], {}, notOurs],
  ['GitHub as the committer', [committer('ends_with', '@acme.test')], signedByGitHub, undefined],
  [
    'a rule for messages, which the run writes later',
    [pattern('commit_message_pattern', 'starts_with', 'ABC-')],
    {},
    undefined,
  ],
  [
    'a second rule after one that allows the push',
    [name('contains', 'limit'), rule('update')],
    {},
    'forbids updating it',
  ],
  ['an unknown type', [rule('constructor'), rule('phase_of_the_moon')], {}, undefined],
])('push to the job’s branch: %s', (_name, rules, options, expected) => {
  const refusal = findRefusal(rules, options);
  if (expected === undefined) return expect(refusal).toBeUndefined();
  expect(refusal).toContain(`A rule of the repository that applies to the branch ${branch} `);
  expect(refusal).toContain(expected);
  expect(refusal).toContain('. Exempt pagewright/** from it, or let the App bypass it.');
});

const signed = rule('required_signatures');
const linear = rule('required_linear_history');
test.each<[string, BranchRule[], BranchRule[], { isSigned: boolean; isLinear: boolean }]>([
  ['no rules', [], [], { isSigned: false, isLinear: false }],
  ['the branch requires signatures', [signed], [], { isSigned: true, isLinear: false }],
  ['the base requires signatures', [], [signed], { isSigned: true, isLinear: false }],
  ['the branch takes no merge commits', [linear], [], { isSigned: false, isLinear: true }],
  [
    'the base takes no merge commits, which does not affect the branch',
    [],
    [linear],
    { isSigned: false, isLinear: false },
  ],
])('signatures and merges: %s', (_name, rules, baseRules, expected) => {
  expect(judge(rules, baseRules)).toMatchObject(expected);
});

const megabyte = 1024 ** 2;
const free = { paths: [], extensions: [], maxPathCharacters: undefined, maxFileBytes: undefined };
test.each<[string, BranchRule[], object]>([
  ['nothing', [], free],
  [
    'the paths of all rulesets together',
    [
      rule('file_path_restriction', { restricted_file_paths: ['legal/**'] }),
      rule('file_path_restriction', { restricted_file_paths: ['*.lock', 'CODEOWNERS'] }),
    ],
    { ...free, paths: ['legal/**', '*.lock', 'CODEOWNERS'] },
  ],
  [
    'extensions',
    [rule('file_extension_restriction', { restricted_file_extensions: ['.exe', 'zip'] })],
    { ...free, extensions: ['.exe', 'zip'] },
  ],
  [
    'the shorter of two lengths',
    [
      rule('max_file_path_length', { max_file_path_length: 200 }),
      rule('max_file_path_length', { max_file_path_length: 90 }),
    ],
    { ...free, maxPathCharacters: 90 },
  ],
  [
    'the smaller of two sizes, in bytes',
    [rule('max_file_size', { max_file_size: 1 }), rule('max_file_size', { max_file_size: 5 })],
    { ...free, maxFileBytes: megabyte },
  ],
  ['nothing by a rule without parameters', [rule('max_file_size'), rule('file_path_restriction')], free],
])('push restrictions: %s', (_name, rules, expected) => {
  expect(judge(rules).forbid).toEqual(expected);
});

test('push rules of the base do not apply to the branch', () => {
  expect(judge([], [rule('max_file_size', { max_file_size: 1 })]).forbid).toEqual(free);
});
