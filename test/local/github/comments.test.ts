import { expect, test } from 'vitest';
import { createFixture, docs } from './github-fixture.ts';

const at = { ...docs, issue_number: 1, pull_number: 1 };

test.each([
  ['without text', ' ', 1, 422],
  ['that is too long', 'x'.repeat(65_537), 1, 422],
  ['of the largest size', 'x'.repeat(65_536), 1, 201],
  ['of the largest size, in wide characters', '🙂'.repeat(65_536), 1, 201],
  ['on nothing', 'Hello', 2, 404],
])('a comment %s is answered right', async (_name, body, issue_number, status) => {
  await using fixture = await createFixture();
  await fixture.openPullRequest();
  const answer = fixture.asInstallation.rest.issues.createComment({ ...docs, issue_number, body });
  if (status === 201) await expect(answer).resolves.toMatchObject({ status });
  else await expect(answer).rejects.toMatchObject({ status });
});

test('two comments of the App with one marker are a duplicate until one is deleted', async () => {
  await using fixture = await createFixture();
  const { github, asInstallation } = fixture;
  await fixture.openPullRequest();
  const body = 'Done.\n\n<!-- pagewright:run_1:reply:msg_1 -->';
  const post = () => asInstallation.rest.issues.createComment({ ...at, body });
  await post();
  github.asPerson('mona').comment('acme/docs', 1, `> ${body}`);
  expect(github.duplicates()).toEqual([]);
  const { data } = await post();
  expect(github.duplicates()).toEqual([
    expect.stringContaining('2 comments with <!-- pagewright:run_1:reply:msg_1 -->'),
  ]);
  await asInstallation.rest.issues.deleteComment({ ...docs, comment_id: data.id });
  expect(github.duplicates()).toEqual([]);
});

test('two pull requests from one head are a duplicate for ever', async () => {
  await using fixture = await createFixture();
  await fixture.openPullRequest();
  await fixture.github.asPerson('mona').closePullRequest('acme/docs', 1);
  await fixture.asInstallation.rest.pulls.create({ ...docs, title: 'Again', head: 'work', base: 'main' });
  expect(fixture.github.duplicates()).toEqual(['acme/docs: 2 pull requests from work (#1, #2)']);
});
