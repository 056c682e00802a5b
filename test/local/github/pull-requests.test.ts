import { expect, test } from 'vitest';
import { createFixture, docs, type Fixture } from './github-fixture.ts';

const invalid = (field: string) => [{ resource: 'PullRequest', field, code: 'invalid' }];
const custom = (message: string) => [{ resource: 'PullRequest', code: 'custom', message }];

test.each([
  ['without a title', { title: ' ' }, [{ resource: 'PullRequest', code: 'missing_field', field: 'title' }]],
  ['with a title of 257 characters', { title: 'x'.repeat(257) }, [expect.objectContaining({ field: 'title' })]],
  ['with a body that is too long', { body: 'x'.repeat(65_537) }, [expect.objectContaining({ field: 'body' })]],
  ['from a missing branch', { head: 'missing' }, invalid('head')],
  ["from a branch of someone else's", { head: 'other:work' }, invalid('head')],
  ['into a missing branch', { base: 'missing' }, invalid('base')],
  ['from a branch without new commits', { head: 'same' }, custom('No commits between main and same')],
  ['from a branch that has a pull request', { head: 'taken' }, custom('A pull request already exists for acme:taken.')],
  [
    'from a branch that has one, named with its owner',
    { head: 'acme:taken' },
    custom('A pull request already exists for acme:taken.'),
  ],
])('a pull request %s is refused', async (_name, change, errors) => {
  await using fixture = await createFixture();
  const mona = fixture.github.asPerson('mona');
  await fixture.openPullRequest({ branch: 'taken' });
  await mona.pushCommit('acme/docs', 'work', { 'work.md': 'text\n' }, 'Write');
  await mona.forcePush('acme/docs', 'same', 'main');
  const newPullRequest = { ...docs, title: 'Work', head: 'work', base: 'main', ...change };
  await expect(fixture.asInstallation.rest.pulls.create(newPullRequest)).rejects.toMatchObject({
    status: 422,
    response: { data: { message: 'Validation Failed', errors, status: '422' } },
  });
  expect(fixture.github.duplicates()).toEqual([]);
});

test('a draft pull request needs a repository that supports drafts', async () => {
  await using fixture = await createFixture();
  await fixture.github.addRepository({ owner: 'acme', name: 'free', files: { a: 'a' }, draftsSupported: false });
  const create = async (repo: string) => {
    await fixture.github.asPerson('mona').pushCommit(`acme/${repo}`, 'work', { b: 'b' }, 'Write');
    return fixture.asInstallation.rest.pulls.create({
      owner: 'acme',
      repo,
      title: 'a',
      head: 'work',
      base: 'main',
      draft: true,
    });
  };
  await expect(create('free')).rejects.toMatchObject({
    status: 422,
    response: { data: { message: 'Draft pull requests are not supported in this repository.' } },
  });
  expect((await create('docs')).data.draft).toBe(true);
});

test.each([
  ['merged', (fixture: Fixture) => fixture.github.asPerson('mona').mergePullRequest('acme/docs', 1), /merged/],
  [
    'whose branch is gone',
    (fixture: Fixture) => fixture.github.asPerson('mona').deleteBranch('acme/docs', 'work'),
    /The work branch has been deleted/,
  ],
  [
    'whose branch was put elsewhere',
    async (fixture: Fixture) => {
      const mona = fixture.github.asPerson('mona');
      await mona.closePullRequest('acme/docs', 1);
      await mona.pushCommit('acme/docs', 'main', { 'other.md': 'other\n' }, 'Other');
      await mona.forcePush('acme/docs', 'work', 'main');
    },
    /The work branch was force-pushed or recreated/,
  ],
])('a pull request %s cannot be reopened', async (_name, end, reason) => {
  await using fixture = await createFixture();
  await fixture.openPullRequest();
  await end(fixture);
  const reopened = fixture.asInstallation.rest.pulls.update({ ...docs, pull_number: 1, state: 'open' });
  await expect(reopened).rejects.toMatchObject({
    status: 422,
    response: { data: { errors: [{ field: 'state', code: 'custom', message: expect.stringMatching(reason) }] } },
  });
});

test('a merge with a conflict is refused', async () => {
  await using fixture = await createFixture();
  const mona = fixture.github.asPerson('mona');
  await mona.pushCommit('acme/docs', 'work', { 'README.md': 'one\n' }, 'One');
  await fixture.asInstallation.rest.pulls.create({ ...docs, title: 'a', head: 'work', base: 'main' });
  await mona.pushCommit('acme/docs', 'main', { 'README.md': 'two\n' }, 'Two');
  await expect(mona.mergePullRequest('acme/docs', 1)).rejects.toMatchObject({ status: 405 });
  expect((await fixture.asInstallation.rest.pulls.get({ ...docs, pull_number: 1 })).data.mergeable).toBe(false);
});
