import nock from 'nock';
import { describe, expect, test } from 'vitest';
import { commentBody } from './bodies.ts';
import { createClient } from './create-client.ts';

const repository = () => nock('https://api.github.com');
const docs = '/repos/acme/docs';

describe('comments', () => {
  const since = new Date('2026-11-20T00:00:00Z');
  const path = (page: number) =>
    `${docs}/issues/7/comments?since=2026-11-20T00%3A00%3A00.000Z&page=${page}&per_page=100`;

  test('are listed from all pages', async () => {
    const page = (from: number, count: number) =>
      Array.from({ length: count }, (_, index) => commentBody({ id: from + index }));
    repository().get(path(1)).reply(200, page(1, 100));
    // A page may be short although another follows.
    repository().get(path(2)).reply(200, page(101, 3), { link: '<https://api.github.com/x?page=3>; rel="next"' });
    repository().get(path(3)).reply(200, page(104, 2));
    expect((await createClient().listComments(7, { since })).map(({ commentId }) => commentId)).toEqual(
      Array.from({ length: 105 }, (_, index) => index + 1),
    );
  });

  test('that could not be listed are not an empty list', async () => {
    repository().get(path(1)).reply(409, { message: 'Conflict' });
    await expect(createClient().listComments(7, { since })).rejects.toMatchObject({ code: 'github_refused' });
  });

  test('are found by a marker only when our App wrote them', async () => {
    const byMallory = { user: { login: 'mallory', type: 'User' }, performed_via_github_app: null };
    repository()
      .get(path(1))
      .reply(200, [
        commentBody({ id: 1, ...byMallory }),
        commentBody({ id: 2 }),
        commentBody({ id: 3, body: 'no marker' }),
        commentBody({ id: 4, user: null }),
        commentBody({ id: 5 }),
      ]);
    const found = await createClient().findCommentsByMarker(7, '<!-- pagewright:run_1 -->', { since });
    expect(found.map(({ commentId }) => commentId)).toEqual([2, 5]);
  });

  test('are not written where the pull request is gone', async () => {
    repository().post(`${docs}/issues/7/comments`).reply(404, { message: 'Not Found' });
    await expect(createClient().createComment(7, 'hello')).rejects.toMatchObject({ code: 'not_found' });
  });

  test('can be deleted twice', async () => {
    repository().delete(`${docs}/issues/comments/1`).reply(204);
    repository().delete(`${docs}/issues/comments/1`).reply(404, { message: 'Not Found' });
    await createClient().deleteComment(1);
    await createClient().deleteComment(1);
  });
});
