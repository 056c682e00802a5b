import { expect, test } from 'vitest';
import { isOwnComment } from '../../../src/github/calls/comment-calls.ts';

const self = { appId: 7, botLogin: 'pagewright[bot]' };

test.each([
  ['the App’s bot', { login: 'pagewright[bot]', userId: 1, isBot: true }, 7, true],
  ['the App’s bot on a server that names no App', { login: 'pagewright[bot]', userId: 1, isBot: true }, null, true],
  ['the App’s bot under a former name', { login: 'old-name[bot]', userId: 1, isBot: true }, 7, true],
  ['a person through the App', { login: 'mallory', userId: 1, isBot: false }, 7, false],
  ['a person', { login: 'mallory', userId: 1, isBot: false }, null, false],
  ['another App', { login: 'other[bot]', userId: 1, isBot: true }, 8, false],
  ['a deleted account', null, null, false],
])('isOwnComment for a comment by %s', (_name, author, viaAppId, isOwn) => {
  expect(isOwnComment({ author, viaAppId }, self)).toBe(isOwn);
});
