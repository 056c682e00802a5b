import type { Comment } from '../../github/calls/comment-calls.ts';
import { bound } from '../../text/bound.ts';

const maxCommentLength = 4_000;
/** Each may take a request. */
const maxAuthors = 20;

/**
 * The comments of people with write access on an issue, with their names, oldest first. Keeps the newest, because a mention refers to them.
 * The model sees no comment of a stranger, or of a bot.
 */
export async function hearComments(
  comments: readonly Comment[],
  {
    isTrusted,
    maxLength,
  }: { isTrusted: (person: { login: string; userId: number }) => Promise<boolean>; maxLength: number },
): Promise<string[]> {
  const trusted = new Map<number, boolean>();
  const said: string[] = [];
  let left = maxLength;
  for (const { author, body, viaAppId } of comments.toReversed()) {
    if (!author || author.isBot || viaAppId !== null) continue;
    const { login, userId } = author;
    if (!trusted.has(userId) && trusted.size >= maxAuthors) continue;
    const isHeard = trusted.get(userId) ?? (await isTrusted({ login, userId }));
    trusted.set(userId, isHeard);
    if (!isHeard) continue;
    const text = `${login} wrote:\n\n${bound(body, maxCommentLength)}`;
    left -= text.length + 2;
    if (left < 0) return ['Earlier comments are left out.', ...said.toReversed()];
    said.push(text);
  }
  return said.toReversed();
}
