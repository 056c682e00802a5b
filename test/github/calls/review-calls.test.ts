import nock from 'nock';
import { describe, expect, test } from 'vitest';
import { maxBodyLength } from '../../../src/github/calls/comment-calls.ts';
import { reviewCommentBody } from '../bodies.ts';
import { createClient } from '../create-client.ts';

const repository = () => nock('https://api.github.com');
const docs = '/repos/acme/docs';

describe('a review', () => {
  const body = (more: object = {}) => ({
    body: 'Nearly.',
    submitted_at: '2026-11-20T12:00:00Z',
    ...more,
  });

  test.each<[string, object, object]>([
    ['a submitted review', {}, { body: 'Nearly.', submittedAt: new Date('2026-11-20T12:00:00Z') }],
    ['a review without text', { body: null }, { body: '', submittedAt: new Date('2026-11-20T12:00:00Z') }],
    ['a pending review', { submitted_at: undefined }, { body: 'Nearly.', submittedAt: null }],
  ])('fetchReview returns %s', async (_name, fields, expected) => {
    repository().get(`${docs}/pulls/7/reviews/80`).reply(200, body(fields));
    expect(await createClient().fetchReview(7, 80)).toEqual(expected);
  });

  test('is undefined when it is missing', async () => {
    repository().get(`${docs}/pulls/7/reviews/80`).reply(404, { message: 'Not Found' });
    expect(await createClient().fetchReview(7, 80)).toBeUndefined();
  });
});

describe('review comments', () => {
  test('of one review are listed from all pages', async () => {
    const path = (page: number) => `${docs}/pulls/7/reviews/80/comments?page=${page}&per_page=100`;
    const hundred = Array.from({ length: 100 }, (_, index) => reviewCommentBody({ id: index + 1 }));
    repository().get(path(1)).reply(200, hundred);
    repository()
      .get(path(2))
      .reply(200, [reviewCommentBody({ id: 101 })]);
    const comments = await createClient().listReviewComments(7, 80);
    expect(comments.map(({ commentId }) => commentId)).toEqual(Array.from({ length: 101 }, (_, index) => index + 1));
  });

  test('are read one by one', async () => {
    repository()
      .get(`${docs}/pulls/comments/31`)
      .reply(200, reviewCommentBody({ in_reply_to_id: 30, start_line: 11 }));
    expect(await createClient().fetchReviewComment(31)).toEqual({
      commentId: 31,
      inReplyTo: 30,
      path: 'docs/tokens.md',
      line: 12,
      startLine: 11,
      diffHunk: '@@ -1,2 +1,3 @@',
      body: 'Say how long it lives. <!-- pagewright:run_1 -->',
      url: 'https://github.com/acme/docs/pull/7#discussion_r31',
      author: { login: 'ada', userId: 77, isBot: false },
    });
  });

  test('are undefined when they are missing', async () => {
    repository().get(`${docs}/pulls/comments/31`).reply(404, { message: 'Not Found' });
    expect(await createClient().fetchReviewComment(31)).toBeUndefined();
  });

  test.each([
    ['on outdated lines', { line: null, original_start_line: 8 }, { line: 10, startLine: 8 }],
    ['with an outdated first line', { original_start_line: 8 }, { line: 12, startLine: null }],
    ['listed by a review', { line: undefined, original_start_line: 8 }, { line: 10, startLine: 8 }],
    ['from a removed line to a lower number', { start_line: 15 }, { line: 12, startLine: null }],
    ['on a whole file', { line: null, original_line: null }, { line: null, startLine: null }],
    ['of a deleted account', { user: null }, { author: null }],
  ])('%s are read too', async (_name, fields, expected) => {
    repository().get(`${docs}/pulls/comments/31`).reply(200, reviewCommentBody(fields));
    expect(await createClient().fetchReviewComment(31)).toMatchObject(expected);
  });

  test('can be deleted twice', async () => {
    repository().delete(`${docs}/pulls/comments/31`).reply(204);
    repository().delete(`${docs}/pulls/comments/31`).reply(404, { message: 'Not Found' });
    await createClient().deleteReviewComment(31);
    await createClient().deleteReviewComment(31);
  });
});

describe('a reply', () => {
  test('is not sent when it is too long', async () => {
    const body = 'x'.repeat(maxBodyLength + 1);
    await expect(createClient().replyToReviewComment(7, 31, body)).rejects.toThrow(
      'longer than GitHub’s limit of 65536',
    );
  });

  test('is found by its marker only if the App wrote it', async () => {
    const ours = { user: { id: 1234, login: 'pagewright[bot]', type: 'Bot' } };
    repository()
      .get(`${docs}/pulls/7/comments?since=2026-11-20T00%3A00%3A00.000Z&page=1&per_page=100`)
      .reply(200, [
        reviewCommentBody({ id: 1 }),
        reviewCommentBody({ id: 2, ...ours }),
        reviewCommentBody({ id: 3, ...ours, body: 'no marker' }),
        reviewCommentBody({ id: 4, user: { id: 5, login: 'other[bot]', type: 'Bot' } }),
        reviewCommentBody({ id: 5, user: null }),
        reviewCommentBody({ id: 6, ...ours }),
      ]);
    const since = new Date('2026-11-20T00:00:00Z');
    const found = await createClient().findRepliesByMarker(7, '<!-- pagewright:run_1 -->', { since });
    expect(found.map(({ commentId }) => commentId)).toEqual([2, 6]);
  });
});
