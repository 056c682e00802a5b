import { expect, test } from 'vitest';
import { createFixture, docs, type Fixture } from './github-fixture.ts';

const at = { ...docs, issue_number: 1, pull_number: 1 };

async function openPullRequest(fixture: Fixture) {
  await fixture.github.asPerson('mona').pushCommit('acme/docs', 'work', { 'work.md': 'one\ntwo\n' }, 'Write');
  await fixture.asInstallation.rest.pulls.create({ ...docs, title: 'Work', head: 'work', base: 'main' });
}

test('a comment shows whether the App posted it', async () => {
  await using fixture = await createFixture();
  const { github, asInstallation } = fixture;
  await openPullRequest(fixture);
  github.asPerson('mona').comment('acme/docs', 1, 'Hello');
  await asInstallation.rest.issues.createComment({ ...at, body: 'Hi' });
  const { data } = await asInstallation.rest.issues.listComments(at);
  expect(data).toMatchObject([
    {
      body: 'Hello',
      user: { login: 'mona', type: 'User' },
      performed_via_github_app: null,
      author_association: 'COLLABORATOR',
    },
    { body: 'Hi', user: { login: 'pagewright[bot]', type: 'Bot' }, performed_via_github_app: { id: 4711 } },
  ]);
});

test('comments are listed since a time and in pages, changed and deleted', async () => {
  let aheadMs = 0;
  await using fixture = await createFixture({ clock: () => new Date(Date.now() + aheadMs) });
  const { asInstallation } = fixture;
  await openPullRequest(fixture);
  const first = await asInstallation.rest.issues.createComment({ ...at, body: 'one' });
  aheadMs = 60_000;
  const since = new Date(Date.now() + 30_000).toISOString();
  await asInstallation.rest.issues.createComment({ ...at, body: 'two' });
  const bodies = async (options: Record<string, string | number> = {}) =>
    (await asInstallation.paginate(asInstallation.rest.issues.listComments, { ...at, ...options })).map(
      ({ body }) => body,
    );
  expect(await bodies({ per_page: 1 })).toEqual(['one', 'two']);
  expect(await bodies({ since })).toEqual(['two']);
  await asInstallation.rest.issues.updateComment({ ...docs, comment_id: first.data.id, body: 'one, better' });
  expect(await bodies({ since })).toEqual(['one, better', 'two']);
  await asInstallation.rest.issues.deleteComment({ ...docs, comment_id: first.data.id });
  expect(await bodies()).toEqual(['two']);
  const gone = asInstallation.rest.issues.getComment({ ...docs, comment_id: first.data.id });
  await expect(gone).rejects.toMatchObject({ status: 404 });
});

test.each([
  ['without text', ' ', 1, 422],
  ['that is too long', 'x'.repeat(65_537), 1, 422],
  ['of the largest size', 'x'.repeat(65_536), 1, 201],
  ['of the largest size, in wide characters', '🙂'.repeat(65_536), 1, 201],
  ['on nothing', 'Hello', 2, 404],
])('a comment %s is answered right', async (_name, body, issue_number, status) => {
  await using fixture = await createFixture();
  await openPullRequest(fixture);
  const answer = fixture.asInstallation.rest.issues.createComment({ ...docs, issue_number, body });
  if (status === 201) await expect(answer).resolves.toMatchObject({ status });
  else await expect(answer).rejects.toMatchObject({ status });
});

test.each([
  ['without its body', {}, 'Invalid request.\n\n"body" wasn\'t supplied.'],
  [
    'with a number for its body',
    { body: 1 },
    "Invalid request.\n\nFor 'properties/body', Invalid input: expected string, received number.",
  ],
])('a comment %s is an invalid request', async (_name, body, message) => {
  await using fixture = await createFixture();
  await openPullRequest(fixture);
  const answer = fixture.asInstallation.request('POST /repos/acme/docs/issues/1/comments', body);
  await expect(answer).rejects.toMatchObject({ status: 422, response: { data: { message } } });
});

test("a locked conversation and an archived repository refuse the App's comments", async () => {
  await using fixture = await createFixture();
  const { github, asInstallation } = fixture;
  await openPullRequest(fixture);
  const mona = github.asPerson('mona');
  await mona.lockConversation('acme/docs', 1);
  await expect(asInstallation.rest.issues.createComment({ ...at, body: 'a' })).rejects.toMatchObject({ status: 403 });
  await mona.unlockConversation('acme/docs', 1);
  mona.archiveRepository('acme/docs');
  await expect(asInstallation.rest.issues.createComment({ ...at, body: 'a' })).rejects.toMatchObject({
    status: 403,
    message: expect.stringContaining('archived'),
  });
  expect((await asInstallation.rest.repos.get(docs)).data.archived).toBe(true);
});

test('two comments of the App with one marker are a duplicate until one is deleted', async () => {
  await using fixture = await createFixture();
  const { github, asInstallation } = fixture;
  await openPullRequest(fixture);
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
  await openPullRequest(fixture);
  await fixture.github.asPerson('mona').closePullRequest('acme/docs', 1);
  await fixture.asInstallation.rest.pulls.create({ ...docs, title: 'Again', head: 'work', base: 'main' });
  expect(fixture.github.duplicates()).toEqual(['acme/docs: 2 pull requests from work (#1, #2)']);
});

test('a repeated reaction is not created again', async () => {
  await using fixture = await createFixture();
  await openPullRequest(fixture);
  const { id } = fixture.github.asPerson('mona').comment('acme/docs', 1, 'Please');
  const react = () =>
    fixture.asInstallation.rest.reactions.createForIssueComment({ ...docs, comment_id: id, content: 'eyes' });
  expect((await react()).status).toBe(201);
  expect((await react()).status).toBe(200);
  const { data } = await fixture.asInstallation.rest.issues.getComment({ ...docs, comment_id: id });
  expect(data.reactions).toMatchObject({ total_count: 1, eyes: 1 });
});

test('a review has its comments, a thread its replies', async () => {
  await using fixture = await createFixture();
  const { github, asInstallation } = fixture;
  await openPullRequest(fixture);
  const mona = github.asPerson('mona');
  const review = await mona.review('acme/docs', 1, {
    state: 'CHANGES_REQUESTED',
    body: 'Nearly',
    comments: [{ path: 'work.md', line: 2, body: 'Two what?' }],
  });
  const { data: comments } = await asInstallation.rest.pulls.listCommentsForReview({ ...at, review_id: review.id });
  expect(comments).toMatchObject([{ path: 'work.md', body: 'Two what?', pull_request_review_id: review.id }]);
  const comment_id = comments[0]?.id ?? 0;
  const { data: reply } = await asInstallation.rest.pulls.createReplyForReviewComment({
    ...at,
    comment_id,
    body: 'Apples.',
  });
  expect(reply).toMatchObject({ in_reply_to_id: comment_id, user: { type: 'Bot' } });
  const { data: second } = await asInstallation.rest.pulls.createReviewComment({
    ...at,
    body: 'Pears.',
    in_reply_to: comment_id,
    commit_id: '',
    path: '',
  });
  expect(second.in_reply_to_id).toBe(comment_id);
  const deeper = asInstallation.rest.pulls.createReplyForReviewComment({ ...at, comment_id: reply.id, body: 'No.' });
  await expect(deeper).rejects.toMatchObject({ status: 422 });
  expect((await asInstallation.rest.pulls.listReviewComments(at)).data).toHaveLength(3);
  expect((await asInstallation.rest.pulls.listReviews(at)).data.map(({ state }) => state)).toEqual([
    'CHANGES_REQUESTED',
    'COMMENTED',
    'COMMENTED',
  ]);
});
