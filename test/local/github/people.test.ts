import { expect, test } from 'vitest';
import { cutHunk } from '../../../local/github/git/cut-hunk.ts';
import { createFixture, docs, type Fixture } from './github-fixture.ts';

const at = { ...docs, pull_number: 1 };

async function openPullRequest(fixture: Fixture) {
  const lines = Array.from({ length: 20 }, (_, index) => `line ${index + 1}\n`).join('');
  const mona = fixture.github.asPerson('mona');
  await mona.pushCommit('acme/docs', 'main', { 'guide/long.md': lines }, 'Write');
  await mona.pushCommit('acme/docs', 'work', { 'guide/long.md': lines.replace('line 10', 'row 10') }, 'Change');
  await fixture.asInstallation.rest.pulls.create({ ...docs, title: 'Work', head: 'work', base: 'main' });
  return mona;
}

test.each([
  ['RIGHT', 1, '@@ -1,2 +1,2 @@\n-a\n+b'],
  ['LEFT', 1, '@@ -1,2 +1,2 @@\n-a'],
  ['RIGHT', 2, '@@ -1,2 +1,2 @@\n-a\n+b\n c'],
  ['RIGHT', 3, undefined],
  ['RIGHT', 9, '@@ -9,0 +9 @@ title\n+d'],
  ['LEFT', 9, undefined],
] as const)('the hunk for %s %i', (side, line, expected) => {
  const patch = '@@ -1,2 +1,2 @@\n-a\n+b\n c\n@@ -9,0 +9 @@ title\n+d\n\\ No newline at end of file';
  expect(cutHunk(patch, line, side)).toBe(expected);
});

test.each([
  ['a line outside of the diff', { line: 1 }, 'pull_request_review_thread.line'],
  ['a file that did not change', { path: 'README.md' }, 'path'],
])('%s cannot be commented on', async (_name, change, field) => {
  await using fixture = await createFixture();
  const mona = await openPullRequest(fixture);
  const comment = { path: 'guide/long.md', line: 10, body: 'Hi', ...change };
  await expect(mona.commentOnLine('acme/docs', 1, comment)).rejects.toMatchObject({ status: 422, errors: [{ field }] });
});

test('two replies with one marker in a thread are duplicates until the App deletes one', async () => {
  await using fixture = await createFixture();
  const { asInstallation, github } = fixture;
  const mona = await openPullRequest(fixture);
  const comment = { path: 'guide/long.md', line: 10, body: 'Row?' };
  const [first, second] = [
    await mona.commentOnLine('acme/docs', 1, comment),
    await mona.commentOnLine('acme/docs', 1, comment),
  ];
  const reply = (commentId: number) =>
    asInstallation.rest.pulls.createReplyForReviewComment({
      ...at,
      comment_id: commentId,
      body: 'Done.\n<!-- pagewright:run_1:reply -->',
    });
  await reply(first.id);
  await reply(second.id);
  expect(github.duplicates()).toEqual([]);
  const { data } = await reply(first.id);
  expect(github.duplicates()).toEqual([
    expect.stringContaining(`2 replies in thread ${first.id} with <!-- pagewright`),
  ]);
  await asInstallation.rest.pulls.updateReviewComment({ ...docs, comment_id: data.id, body: 'Other.' });
  expect(github.duplicates()).toEqual([]);
  await asInstallation.rest.pulls.deleteReviewComment({ ...docs, comment_id: data.id });
  expect((await asInstallation.rest.pulls.listReviewComments(at)).data).toHaveLength(4);
});

test('two reactions of the App to one comment are duplicates, reactions of others are not', async () => {
  await using fixture = await createFixture();
  const { asInstallation, github } = fixture;
  const mona = await openPullRequest(fixture);
  const { id } = mona.comment('acme/docs', 1, 'Please');
  const react = (content: 'eyes' | 'rocket') =>
    asInstallation.rest.reactions.createForIssueComment({ ...docs, comment_id: id, content });
  await react('eyes');
  await react('eyes');
  expect(github.duplicates()).toEqual([]);
  await react('rocket');
  expect(github.duplicates()).toEqual([`acme/docs: 2 reactions to comment ${id} (eyes, rocket)`]);
});
