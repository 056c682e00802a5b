import { expect, test } from 'vitest';
import { isOwnComment } from '../../../src/github/calls/comment-calls.ts';

const self = { appId: 7, botLogin: 'pagewright[bot]' };

test.each([
  ['our bot', { login: 'pagewright[bot]', userId: 1, isBot: true }, 7, true],
  ['our bot on a server that names no App', { login: 'pagewright[bot]', userId: 1, isBot: true }, null, true],
  ['our bot under a former name', { login: 'old-name[bot]', userId: 1, isBot: true }, 7, true],
  ['a person through our App', { login: 'mallory', userId: 1, isBot: false }, 7, false],
  ['a person', { login: 'mallory', userId: 1, isBot: false }, null, false],
  ['another App', { login: 'other[bot]', userId: 1, isBot: true }, 8, false],
  ['a deleted account', null, null, false],
])('a comment by %s', (_name, author, viaAppId, isOwn) => {
  expect(isOwnComment({ author, viaAppId }, self)).toBe(isOwn);
});
