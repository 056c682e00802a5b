import nock from 'nock';
import { describe, expect, test } from 'vitest';
import { commentBody } from '../bodies.ts';
import { createClient } from '../create-client.ts';

const repository = () => nock('https://api.github.com');
const docs = '/repos/acme/docs';

describe('comments', () => {
  const since = new Date('2026-11-20T00:00:00Z');
  const path = (page: number) =>
    `${docs}/issues/7/comments?since=2026-11-20T00%3A00%3A00.000Z&page=${page}&per_page=100`;

  const find = () => createClient().findCommentsByMarker(7, '<!-- pagewright:run_1 -->', { since });

  test('are found by a marker on all pages', async () => {
    const page = (from: number, count: number) =>
      Array.from({ length: count }, (_, index) => commentBody({ id: from + index }));
    repository().get(path(1)).reply(200, page(1, 100));
    // A page may be short even if another follows.
    repository().get(path(2)).reply(200, page(101, 3), { link: '<https://api.github.com/x?page=3>; rel="next"' });
    repository().get(path(3)).reply(200, page(104, 2));
    expect((await find()).map(({ commentId }) => commentId)).toEqual(
      Array.from({ length: 105 }, (_, index) => index + 1),
    );
  });

  test('are found by a marker only if the App wrote them', async () => {
    const byMallory = { user: { id: 66, login: 'mallory', type: 'User' }, performed_via_github_app: null };
    repository()
      .get(path(1))
      .reply(200, [
        commentBody({ id: 1, ...byMallory }),
        commentBody({ id: 2 }),
        commentBody({ id: 3, body: 'no marker' }),
        commentBody({ id: 4, user: null }),
        commentBody({ id: 5 }),
      ]);
    expect((await find()).map(({ commentId }) => commentId)).toEqual([2, 5]);
  });

  test('are refused when the pull request is gone', async () => {
    repository().post(`${docs}/issues/7/comments`).reply(404, { message: 'Not Found' });
    await expect(createClient().createComment(7, 'hello')).rejects.toMatchObject({ reason: 'not_found' });
  });

  test('can be deleted twice', async () => {
    repository().delete(`${docs}/issues/comments/1`).reply(204);
    repository().delete(`${docs}/issues/comments/1`).reply(404, { message: 'Not Found' });
    await createClient().deleteComment(1);
    await createClient().deleteComment(1);
  });

  test.each([
    [
      'the conversation is locked',
      'Unable to create comment because issue is locked.',
      'https://docs.github.com/articles/locking-conversations/',
      'Unlock the conversation, then ask again.',
    ],
    [
      'the conversation is locked, by its documentation',
      'Forbidden.',
      'https://docs.github.com/articles/locking-conversations/',
      'Unlock the conversation, then ask again.',
    ],
    [
      'the repository is archived',
      'Repository was archived so is read-only and unable to create comment because issue is locked.',
      'https://docs.github.com/rest/issues/comments#create-an-issue-comment',
      'Unarchive the repository, then ask again.',
    ],
  ])('are refused with a remedy when %s', async (_name, message, documentation_url, remedy) => {
    const headers = { 'x-accepted-github-permissions': 'issues=write; pull_requests=read' };
    repository().post(`${docs}/issues/7/comments`).reply(403, { message, documentation_url }, headers);
    await expect(createClient().createComment(7, 'hello')).rejects.toMatchObject({
      name: 'GitHubRefusal',
      reason: 'refused',
      message: `GitHub refused to comment on pull request 7 of acme/docs: ${message} ${remedy}`,
    });
  });
});
