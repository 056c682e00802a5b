import { randomBytes } from 'node:crypto';
import { expect, test } from 'vitest';
import { createFixture, createReceiver, docs, type Fixture } from './github-fixture.ts';

const openPullRequest = async (fixture: Fixture, head = 'work') =>
  (await fixture.asInstallation.rest.pulls.create({ ...docs, title: 'Work', head, base: 'main' })).data;

const fetchPullRequest = async (fixture: Fixture, pull_number = 1) =>
  (await fixture.asInstallation.rest.pulls.get({ ...docs, pull_number })).data;

async function pushBranch(fixture: Fixture, options: Parameters<Fixture['clone']>[0] = {}) {
  const clone = await fixture.clone(options);
  await clone.git('switch', '--quiet', '--create', 'work');
  const sha = await clone.commit({ 'guide/limits.md': 'Ten per minute.\n' });
  await clone.git('push', '--quiet', 'origin', 'work');
  return { ...clone, sha };
}

test('a pushed branch becomes a pull request that a person merges', async () => {
  await using receiver = await createReceiver();
  await using fixture = await createFixture();
  const { github } = fixture;
  github.setWebhook(receiver.url, 'secret');
  const { git, sha } = await pushBranch(fixture);
  expect(await openPullRequest(fixture)).toMatchObject({
    number: 1,
    state: 'open',
    merged: false,
    commits: 1,
    additions: 1,
    head: { sha, label: 'acme:work' },
    user: { login: 'pagewright[bot]', type: 'Bot' },
  });
  const merged = await github.asPerson('mona').mergePullRequest('acme/docs', 1);
  expect(await fetchPullRequest(fixture)).toMatchObject({
    state: 'closed',
    merged: true,
    merged_by: { login: 'mona' },
    merge_commit_sha: merged,
  });
  await git('pull', '--quiet', 'origin', 'main');
  expect(await git('ls-files')).toContain('guide/limits.md');
  await github.deliveries.settled();
  expect(receiver.events()).toEqual(['create', 'push', 'pull_request.opened', 'pull_request.closed', 'push']);
});

test('a pull request follows its branch', async () => {
  await using receiver = await createReceiver();
  await using fixture = await createFixture();
  const clone = await pushBranch(fixture);
  await openPullRequest(fixture);
  fixture.github.setWebhook(receiver.url, 'secret');
  const after = await clone.commit({ 'guide/limits.md': 'Twenty per minute.\n' });
  await clone.git('push', '--quiet', 'origin', 'work');
  expect(await fetchPullRequest(fixture)).toMatchObject({ head: { sha: after }, commits: 2 });
  await fixture.github.deliveries.settled();
  expect(receiver.events()).toEqual(['push', 'pull_request.synchronize']);
  expect(JSON.parse(receiver.received[1]?.body ?? '')).toMatchObject({
    before: clone.sha,
    after,
    sender: { type: 'Bot' },
  });
});

test('a pull request with nothing left to merge is closed, not merged', async () => {
  await using fixture = await createFixture();
  const { git } = await pushBranch(fixture);
  await openPullRequest(fixture);
  await git('push', '--quiet', '--force', 'origin', 'main:work');
  expect(await fetchPullRequest(fixture)).toMatchObject({ state: 'closed', merged: false });
});

test('a pull request whose commits were pushed to its base is merged', async () => {
  await using fixture = await createFixture();
  const { git, sha } = await pushBranch(fixture);
  await openPullRequest(fixture);
  await git('push', '--quiet', 'origin', 'work:main');
  expect(await fetchPullRequest(fixture)).toMatchObject({ state: 'closed', merged: true, merge_commit_sha: sha });
});

test.each([
  ['its branch', 'work'],
  ['its base', 'next'],
])('a pull request is closed when %s is deleted', async (_name, branch) => {
  await using fixture = await createFixture();
  const { git } = await pushBranch(fixture);
  await git('push', '--quiet', 'origin', 'main:next');
  await fixture.asInstallation.rest.pulls.create({ ...docs, title: 'Work', head: 'work', base: 'next' });
  await git('push', '--quiet', '--delete', 'origin', branch);
  expect(await fetchPullRequest(fixture)).toMatchObject({ state: 'closed', merged: false });
});

test('a push with a lease is refused after another push', async () => {
  await using fixture = await createFixture();
  const { git, commit, sha } = await pushBranch(fixture);
  const theirs = await fixture.github.asPerson('mona').pushCommit('acme/docs', 'work', { a: 'a' }, 'Mine');
  await commit({ b: 'b' });
  const push = (lease: string) => git('push', `--force-with-lease=refs/heads/work:${lease}`, 'origin', 'work');
  await expect(push(sha)).rejects.toThrow(/stale info/);
  await expect(push('')).rejects.toThrow(/stale info/);
  expect((await fixture.asInstallation.rest.repos.getBranch({ ...docs, branch: 'work' })).data.commit.sha).toBe(theirs);
});

test('two concurrent pushes to two branches are both stored, with their events', async () => {
  await using fixture = await createFixture();
  const clones = await Promise.all([fixture.clone(), fixture.clone()]);
  await Promise.all(
    clones.map(async ({ git, commit }, index) => {
      await git('switch', '--quiet', '--create', `work-${index}`);
      await commit({ [`${index}.md`]: 'text' });
      await git('push', '--quiet', 'origin', `work-${index}`);
    }),
  );
  const pushed = fixture.github.deliveries.log
    .filter(({ event }) => event === 'push')
    .map(({ payload }) => payload.ref);
  expect(pushed.toSorted()).toEqual(['refs/heads/work-0', 'refs/heads/work-1']);
});

test('a push in several chunks arrives complete', async () => {
  await using fixture = await createFixture();
  const { git, commit } = await fixture.clone();
  const sha = await commit({ 'large.txt': randomBytes(3_000_000).toString('base64') });
  await git('push', '--quiet', 'origin', 'main');
  expect((await fixture.asInstallation.rest.repos.getBranch({ ...docs, branch: 'main' })).data.commit.sha).toBe(sha);
});
