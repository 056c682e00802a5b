import { expect, test } from 'vitest';
import { isOwnComment } from '../../src/github/comment.ts';

const self = { appId: 7, botLogin: 'pagewright[bot]' };

test.each([
  ['our bot', { login: 'pagewright[bot]', isBot: true }, 7, true],
  ['our bot on a server that names no App', { login: 'pagewright[bot]', isBot: true }, null, true],
  ['our bot under a former name', { login: 'old-name[bot]', isBot: true }, 7, true],
  ['a person through our App', { login: 'mallory', isBot: false }, 7, false],
  ['a person', { login: 'mallory', isBot: false }, null, false],
  ['another App', { login: 'other[bot]', isBot: true }, 8, false],
  ['a deleted account', null, null, false],
])('a comment by %s', (_name, author, viaAppId, isOwn) => {
  const comment = { commentId: 1, url: '', body: '', createdAt: new Date(0), author, viaAppId };
  expect(isOwnComment(comment, self)).toBe(isOwn);
});
