import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { matchesPattern } from '../../../local/github/rules/rulesets-of.ts';
import { createFixture, docs, type Fixture } from './github-fixture.ts';

const pattern = (operator: string, text: string, negate = false) => ({ operator, pattern: text, negate });

test.each([
  ['main', 'main', true],
  ['main', 'maintenance', false],
  ['pagewright/**', 'pagewright/limits-1', true],
  ['pagewright/**', 'pagewright', false],
  ['pagewright/**/*', 'pagewright/a/b', true],
  ['release/*', 'release/1/2', false],
  ['v?.x', 'v1.x', true],
  ['v?.x', 'v1-x', false],
  ['~ALL', 'anything', true],
  ['~DEFAULT_BRANCH', 'main', true],
  ['~DEFAULT_BRANCH', 'work', false],
])('the pattern %s and the branch %s: %s', (given, name, expected) => {
  expect(matchesPattern(given, name, 'main')).toBe(expected);
});

describe('one commit on a new branch', () => {
  let fixture: Fixture;
  let clone: Awaited<ReturnType<Fixture['clone']>>;
  beforeAll(async () => {
    fixture = await createFixture();
    clone = await fixture.clone();
    await clone.git('switch', '--quiet', '--create', 'work');
    await clone.commit({ 'guide/limits.md': 'Ten.\n' });
  });
  afterAll(() => fixture[Symbol.asyncDispose]());

  let pushes = 0;
  /** Under a name that was never there, and leaves nothing behind: the commit is new each time. */
  const push = async () => {
    pushes += 1;
    const name = `pagewright/limits-${pushes}`;
    await clone.git('push', '--quiet', 'origin', `work:${name}`);
    const created = fixture.github.deliveries.log.at(-1);
    await fixture.github.asPerson('mona').deleteBranch('acme/docs', name);
    return created;
  };
  const set = (type: string, parameters: Record<string, unknown> | undefined, options?: { canBypass: boolean }) =>
    fixture.github.setRules('acme/docs', 'pagewright/**', [{ type, ...(parameters ? { parameters } : {}) }], options);

  test.each([
    ['creation', undefined, /Cannot create ref due to creations being restricted/],
    ['pull_request', {}, /Changes must be made through a pull request/],
    ['required_signatures', undefined, /Commits must have verified signatures/],
    ['required_status_checks', { required_status_checks: [{ context: 'build' }] }, /status check "build" is expected/],
    ['branch_name_pattern', pattern('starts_with', 'feature/'), /Branch name must start with: feature\//],
    ['commit_author_email_pattern', pattern('ends_with', '@acme.example'), /Commit author email must end with/],
    ['committer_email_pattern', pattern('contains', '@', true), /Committer email must not contain/],
    ['commit_message_pattern', pattern('regex', '^docs: '), /Commit message must match/],
    [
      'file_path_restriction',
      { restricted_file_paths: ['guide/*'] },
      /File path is restricted[\s\S]*guide\/limits\.md/,
    ],
    ['file_extension_restriction', { restricted_file_extensions: ['*.md'] }, /File extension is restricted/],
    ['max_file_path_length', { max_file_path_length: 14 }, /longer than 14 characters/],
    ['max_file_size', { max_file_size: 0.000001 }, /larger than/],
  ] as const)('is refused by the rule %s, with the reason', async (type, parameters, reason) => {
    set(type, parameters);
    const count = fixture.github.deliveries.log.length;
    const refused = push();
    await expect(refused).rejects.toThrow(
      /GH013: Repository rule violations found for refs\/heads\/pagewright\/limits-/,
    );
    await expect(refused).rejects.toThrow(/rejected\].*\(push declined due to repository rule violations\)/);
    await expect(refused).rejects.toThrow(reason);
    expect(fixture.github.deliveries.log).toHaveLength(count);
  });

  test.each([
    ['branch_name_pattern', pattern('starts_with', 'pagewright/')],
    ['commit_author_email_pattern', pattern('contains', '@')],
    ['commit_message_pattern', pattern('regex', '^change$')],
    ['file_path_restriction', { restricted_file_paths: ['.github/**/*'] }],
    ['file_extension_restriction', { restricted_file_extensions: ['exe'] }],
    ['max_file_path_length', { max_file_path_length: 15 }],
    ['max_file_size', { max_file_size: 1 }],
    ['required_linear_history', undefined],
    ['update', undefined],
    ['some_rule_of_tomorrow', undefined],
  ] as const)('keeps the rule %s', async (type, parameters) => {
    set(type, parameters);
    expect(await push()).toMatchObject({ event: 'push', payload: { created: true, commits: [{}] } });
  });

  test('passes a rule that the App may bypass', async () => {
    set('creation', undefined, { canBypass: true });
    await push();
  });
});

test('rules about updates, merges, force pushes and deletions apply only to those', async () => {
  await using fixture = await createFixture();
  const { github } = fixture;
  const { git, commit } = await fixture.clone();
  await git('switch', '--quiet', '--create', 'work');
  await commit({ 'a.md': 'a' });
  await git('push', '--quiet', 'origin', 'work');
  await github.asPerson('mona').pushCommit('acme/docs', 'main', { 'b.md': 'b' }, 'Elsewhere');
  await git('fetch', '--quiet', 'origin');
  await git('merge', '--quiet', '--no-edit', 'origin/main');
  const refuse = (type: string) => github.setRules('acme/docs', 'work', [{ type }]);
  refuse('required_linear_history');
  await expect(git('push', '--quiet', 'origin', 'work')).rejects.toThrow(/must not contain merge commits/);
  refuse('update');
  await expect(git('push', '--quiet', 'origin', 'work')).rejects.toThrow(/Cannot update this protected ref/);
  refuse('non_fast_forward');
  await git('push', '--quiet', 'origin', 'work');
  await expect(git('push', '--quiet', '--force', 'origin', 'origin/main:work')).rejects.toThrow(/Cannot force-push/);
  refuse('deletion');
  await expect(git('push', '--quiet', 'origin', ':work')).rejects.toThrow(/Cannot delete this protected ref/);
  refuse('creation');
  await git('push', '--quiet', 'origin', ':work');
});

test.each([
  ['that exists', { ref: 'refs/heads/main' }, /Reference already exists/],
  ['of a missing commit', { ref: 'refs/heads/new', sha: '1'.repeat(40) }, /Object does not exist/],
  ['with a bad name', { ref: 'refs/heads/a..b' }, /not a valid ref name/],
  ['that is hidden', { ref: 'refs/pull/1/head' }, /not a valid ref name/],
  ['below another', { ref: 'refs/heads/main/new' }, /Reference update failed/],
  ['against a rule', { ref: 'refs/heads/closed/new' }, /Repository rule violations found\n\nCannot create ref/],
])('a ref %s is not made', async (_name, wanted, message) => {
  await using fixture = await createFixture();
  const { asInstallation, github } = fixture;
  github.setRules('acme/docs', 'closed/*', [{ type: 'creation' }]);
  const { data } = await asInstallation.rest.git.getRef({ ...docs, ref: 'heads/main' });
  const refused = asInstallation.rest.git.createRef({ ...docs, sha: data.object.sha, ...wanted });
  await expect(refused).rejects.toMatchObject({ status: 422, message: expect.stringMatching(message) });
});

test('a merge of a base with a workflow is refused, of a base without one is accepted', async () => {
  await using fixture = await createFixture();
  const mona = fixture.github.asPerson('mona');
  const { git, commit } = await fixture.clone();
  await git('switch', '--quiet', '--create', 'work');
  await commit({ 'a.md': 'a' });
  await git('push', '--quiet', 'origin', 'work');
  const merge = async (files: Record<string, string>) => {
    await mona.pushCommit('acme/docs', 'main', files, 'Base');
    await git('fetch', '--quiet', 'origin');
    await git('merge', '--quiet', '--no-edit', 'origin/main');
    await git('push', '--quiet', 'origin', 'work');
  };
  await merge({ 'b.md': 'b' });
  await expect(merge({ '.github/workflows/ci.yml': 'on: push\n' })).rejects.toThrow(
    /create or update workflow `\.github\/workflows\/ci\.yml` without `workflows` permission/,
  );
});

test('a branch cannot move to commits of another branch that change workflows', async () => {
  await using fixture = await createFixture();
  const mona = fixture.github.asPerson('mona');
  const { git } = await fixture.clone();
  await git('push', '--quiet', 'origin', 'main:work');
  await mona.pushCommit('acme/docs', 'main', { '.github/workflows/ci.yml': 'on: push\n' }, 'Base');
  await git('fetch', '--quiet', 'origin');
  await expect(git('push', '--quiet', 'origin', 'origin/main:work')).rejects.toThrow(/without `workflows` permission/);
  await git('push', '--quiet', 'origin', 'origin/main:refs/heads/new');
});
