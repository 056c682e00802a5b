import { expect, test } from 'vitest';
import { createGitClient } from '../../../harness/git-client.ts';
import { createFixture, docs, type Fixture } from './github-fixture.ts';

async function pushBranch(fixture: Fixture, options: Parameters<Fixture['clone']>[0] = {}) {
  const { git, commit } = await fixture.clone(options);
  await git('switch', '--quiet', '--create', 'work');
  await commit({ 'guide/limits.md': 'Ten per minute.\n' });
  await git('push', '--quiet', 'origin', 'work');
}

test.each([
  ['a new workflow', { '.github/workflows/ci.yml': 'on: push\n' }],
  ['a workflow among other files', { 'a.md': 'a', '.github/workflows/ci.yml': 'on: push\n' }],
])('a push with %s is refused whole without the permission for workflows', async (_name, files) => {
  await using fixture = await createFixture();
  const { git, commit } = await fixture.clone();
  await git('switch', '--quiet', '--create', 'work');
  await commit(files);
  await commit({ 'b.md': 'b' });
  await expect(git('push', 'origin', 'work')).rejects.toThrow(
    '[remote rejected] work -> work (refusing to allow a GitHub App to create or update workflow `.github/workflows/ci.yml` without `workflows` permission)',
  );
  const branch = fixture.asInstallation.rest.repos.getBranch({ ...docs, branch: 'work' });
  await expect(branch).rejects.toMatchObject({ status: 404, message: expect.stringContaining('Branch not found') });
});

test('a workflow needs the permission to be pushed; later commits of the branch do not', async () => {
  await using fixture = await createFixture();
  const { github, installationId } = fixture;
  github.setInstallationPermissions(installationId, { contents: 'write', pull_requests: 'write', workflows: 'write' });
  const { git, commit } = await fixture.clone();
  await commit({ '.github/workflows/ci.yml': 'on: push\n' });
  await git('push', '--quiet', 'origin', 'main');
  const without = await fixture.clone({ permissions: { contents: 'write' } });
  await without.commit({ 'b.md': 'b' });
  await without.git('push', '--quiet', 'origin', 'main');
});

test.each([
  [
    'a token that only reads',
    async (fixture: Fixture) => pushBranch(fixture, { permissions: { contents: 'read' } }),
    /403/,
  ],
  [
    'an archived repository',
    async (fixture: Fixture) => {
      fixture.github.asPerson('mona').archiveRepository('acme/docs');
      await pushBranch(fixture);
    },
    /403/,
  ],
  [
    'a token for another permission',
    async (fixture: Fixture) => fixture.clone({ permissions: { issues: 'write' } }),
    /403/,
  ],
  [
    'refs that are hidden',
    async (fixture: Fixture) => (await fixture.clone()).git('push', 'origin', 'main:refs/pull/1/head'),
    /deny updating a hidden ref/,
  ],
])('git is refused with %s', async (_name, use, reason) => {
  await using fixture = await createFixture();
  await expect(use(fixture)).rejects.toThrow(reason);
});

test.each([
  ['no credentials', undefined, /could not read Username/],
  ['an unknown token', 'ghs_nothing', /Authentication failed|could not read Username/],
])('git with %s sees nothing', async (_name, token, reason) => {
  await using fixture = await createFixture();
  const git = createGitClient(token === undefined ? {} : { token });
  await expect(git.run('.', 'ls-remote', fixture.repository.cloneUrl)).rejects.toThrow(reason);
});

test('a token for one repository does not open another', async () => {
  await using fixture = await createFixture();
  const { cloneUrl } = await fixture.github.addRepository({ owner: 'acme', name: 'blog', files: { a: 'a' } });
  const { token } = await fixture.mint({ repositories: ['docs'] });
  await expect(createGitClient({ token }).run('.', 'ls-remote', cloneUrl)).rejects.toThrow(/not found/);
});
