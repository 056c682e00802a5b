import { expect, test } from 'vitest';
import { cutHunk } from '../../../local/github/git/cut-hunk.ts';
import { createFixture, createReceiver, docs, type Fixture } from './github-fixture.ts';

const at = { ...docs, pull_number: 1 };

async function openPullRequest(fixture: Fixture) {
  const lines = Array.from({ length: 20 }, (_, index) => `line ${index + 1}\n`).join('');
  const mona = fixture.github.asPerson('mona');
  await mona.pushCommit('acme/docs', 'main', { 'guide/long.md': lines }, 'Write');
  await mona.pushCommit('acme/docs', 'work', { 'guide/long.md': lines.replace('line 10', 'row 10') }, 'Change');
  await fixture.asInstallation.rest.pulls.create({ ...docs, title: 'Work', head: 'work', base: 'main' });
  return mona;
}

const newestEvents = ({ github }: Fixture, count: number) =>
  github.deliveries.log.slice(-count).map(({ event, action }) => `${event}.${action}`);

test('a single comment and a reply each come in an empty review', async () => {
  await using fixture = await createFixture();
  const mona = await openPullRequest(fixture);
  const comment = await mona.commentOnLine('acme/docs', 1, { path: 'guide/long.md', line: 10, body: 'Row?' });
  expect(newestEvents(fixture, 2)).toEqual(['pull_request_review.submitted', 'pull_request_review_comment.created']);
  const reply = mona.replyToReviewComment('acme/docs', 1, comment.id, 'Line, please.');
  expect(newestEvents(fixture, 2)).toEqual(['pull_request_review.submitted', 'pull_request_review_comment.created']);
  expect(reply.reviewId).not.toBe(comment.reviewId);
  const [review, created] = fixture.github.deliveries.log.slice(-2);
  expect(review?.payload).toMatchObject({ review: { id: reply.reviewId, state: 'commented', body: null } });
  expect(created?.payload).toMatchObject({ comment: { in_reply_to_id: comment.id, path: 'guide/long.md', line: 10 } });
});

test('a comment shows its hunk up to its line, and may span several', async () => {
  await using fixture = await createFixture();
  const mona = await openPullRequest(fixture);
  const { id } = await mona.review('acme/docs', 1, {
    comments: [{ path: 'guide/long.md', startLine: 9, line: 10, body: 'These two' }],
  });
  const { data } = await fixture.asInstallation.rest.pulls.listCommentsForReview({ ...at, review_id: id });
  expect(data).toMatchObject([
    {
      start_line: 9,
      line: 10,
      start_side: 'RIGHT',
      diff_hunk: expect.stringMatching(/^@@ -7,7 \+7,7 @@.*\n line 7\n line 8\n line 9\n-line 10\n\+row 10$/),
    },
  ]);
});

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

test('edited and deleted comments and reviews send events with the old text', async () => {
  await using fixture = await createFixture();
  const { asInstallation, github } = fixture;
  const mona = await openPullRequest(fixture);
  const comments = [{ path: 'guide/long.md', line: 10, body: 'Row?' }];
  const review = await mona.review('acme/docs', 1, { state: 'CHANGES_REQUESTED', body: 'No', comments });
  mona.editReview('acme/docs', 1, review.id, 'Not yet');
  expect(github.deliveries.log.at(-1)).toMatchObject({
    event: 'pull_request_review',
    action: 'edited',
    payload: { changes: { body: { from: 'No' } }, review: { body: 'Not yet', state: 'changes_requested' } },
  });
  expect((await asInstallation.rest.pulls.getReview({ ...at, review_id: review.id })).data.body).toBe('Not yet');
  const { data } = await asInstallation.rest.pulls.listReviewComments(at);
  const commentId = data[0]?.id ?? 0;
  mona.editReviewComment('acme/docs', commentId, 'Line?');
  expect(github.deliveries.log.at(-1)).toMatchObject({
    event: 'pull_request_review_comment',
    action: 'edited',
    payload: { changes: { body: { from: 'Row?' } }, comment: { body: 'Line?' } },
  });
  mona.deleteReviewComment('acme/docs', commentId);
  expect(newestEvents(fixture, 1)).toEqual(['pull_request_review_comment.deleted']);
  const gone = asInstallation.rest.pulls.getReviewComment({ ...docs, comment_id: commentId });
  await expect(gone).rejects.toMatchObject({ status: 404 });
  const { id } = mona.comment('acme/docs', 1, 'a');
  mona.editComment('acme/docs', id, 'b');
  mona.deleteComment('acme/docs', id);
  expect(newestEvents(fixture, 3)).toEqual(['issue_comment.created', 'issue_comment.edited', 'issue_comment.deleted']);
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

test('a repository changes its visibility', async () => {
  await using fixture = await createFixture();
  const mona = fixture.github.asPerson('mona');
  mona.publicizeRepository('acme/docs');
  mona.privatizeRepository('acme/docs');
  expect(newestEvents(fixture, 2)).toEqual(['repository.publicized', 'repository.privatized']);
  expect(fixture.github.deliveries.log.at(-1)?.payload).toMatchObject({ repository: { private: true } });
});

test('a switch from all repositories to some lists none in its event, later changes do', async () => {
  await using fixture = await createFixture();
  const { asInstallation, github, installationId } = fixture;
  await github.addRepository({ owner: 'acme', name: 'blog', files: { a: 'a' } });
  const names = async () =>
    (await asInstallation.rest.apps.listReposAccessibleToInstallation()).data.repositories.map(({ name }) => name);
  const last = () => github.deliveries.log.at(-1);
  github.selectRepositories(installationId, ['blog']);
  expect(last()).toMatchObject({
    event: 'installation_repositories',
    action: 'removed',
    payload: { repository_selection: 'selected', repositories_added: [], repositories_removed: [] },
  });
  expect(await names()).toEqual(['blog']);
  github.addToInstallation(installationId, ['docs']);
  expect(last()).toMatchObject({ action: 'added', payload: { repositories_added: [{ name: 'docs' }] } });
  github.removeFromInstallation(installationId, ['blog']);
  expect(last()).toMatchObject({ action: 'removed', payload: { repositories_removed: [{ name: 'blog' }] } });
  github.selectAllRepositories(installationId);
  expect(last()).toMatchObject({ action: 'added', payload: { repository_selection: 'all' } });
  expect(await names()).toEqual(['docs', 'blog']);
});

test('a delivery is dropped without a trace, or fails and can be redelivered', async () => {
  await using receiver = await createReceiver();
  await using fixture = await createFixture();
  const { asApp, github } = fixture;
  const mona = await openPullRequest(fixture);
  github.setWebhook(receiver.url, 'secret');
  const isComment = ({ event }: { event: string }) => event === 'issue_comment';
  github.deliveries.drop(isComment);
  github.deliveries.fail(isComment);
  for (const text of ['dropped', 'failed', 'delivered']) mona.comment('acme/docs', 1, text);
  await github.deliveries.settled();
  const bodies = () => receiver.received.map(({ body }) => JSON.parse(body).comment.body);
  expect(bodies()).toEqual(['delivered']);
  const { data } = await asApp.rest.apps.listWebhookDeliveries();
  expect(data.map(({ status_code: code, event }) => [event, code])).toEqual([
    ['issue_comment', 202],
    ['issue_comment', 502],
  ]);
  await asApp.rest.apps.redeliverWebhookDelivery({ delivery_id: data[1]?.id ?? 0 });
  await github.deliveries.settled();
  expect(bodies()).toEqual(['delivered', 'failed']);
  expect(receiver.received[1]?.headers['x-github-delivery']).toBe(data[1]?.guid);
});

test('requests are counted by route', async () => {
  await using fixture = await createFixture();
  await openPullRequest(fixture);
  const { asInstallation, github, repository } = fixture;
  await asInstallation.request('GET /repositories/{id}/pulls/{number}', { id: repository.id, number: 1 });
  await asInstallation.rest.pulls.get(at);
  await asInstallation.graphql('{ viewer { login } }').catch(() => {});
  await fixture.clone();
  const counts = Object.entries(Object.groupBy(github.requests, ({ api, route }) => `${api} ${route}`)).map(
    ([name, requests]) => [name, requests?.length],
  );
  expect(counts).toEqual([
    ['rest POST /app/installations/:installation_id/access_tokens', 2],
    ['rest POST /repos/:owner/:repo/pulls', 1],
    ['rest GET /repos/:owner/:repo/pulls/:number', 2],
    ['graphql POST /graphql', 1],
    ['git GET git-upload-pack', expect.any(Number)],
    ['git POST git-upload-pack', expect.any(Number)],
  ]);
});
