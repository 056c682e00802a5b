import { expect, test } from 'vitest';
import { hearComments } from '../../../src/deliveries/mentions/read-conversation.ts';

const comment = (
  nth: number,
  more: { author?: string; isBot?: boolean; viaAppId?: number | null; body?: string } = {},
) => {
  const { author = 'rita', isBot = false, viaAppId = null, body = `Comment ${nth}.` } = more;
  const userId = author.length;
  return {
    commentId: nth,
    url: '',
    createdAt: new Date(nth),
    body,
    viaAppId,
    author: { login: author, userId, isBot },
  };
};
const isTrusted = async ({ login }: { login: string }) => login === 'rita';
const hear = (comments: ReturnType<typeof comment>[], maxLength = 1_000) =>
  hearComments(comments, { isTrusted, maxLength });

test('promise 6: of the comments on an issue, those of people with write access are heard', async () => {
  const comments = [
    comment(1),
    comment(2, { author: 'stranger' }),
    comment(3, { isBot: true }),
    comment(4, { viaAppId: 7 }),
    comment(5),
  ];
  expect(await hear(comments)).toEqual(['rita wrote:\n\nComment 1.', 'rita wrote:\n\nComment 5.']);
});

test('of a long conversation, what was said last is heard, and that more was said', async () => {
  const comments = Array.from({ length: 9 }, (_, nth) => comment(nth + 1));
  expect(await hear(comments, 60)).toEqual([
    'Earlier comments are left out.',
    'rita wrote:\n\nComment 8.',
    'rita wrote:\n\nComment 9.',
  ]);
});
