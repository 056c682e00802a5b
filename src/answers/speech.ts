import type { RepositoryClient } from '../github/repository-client.ts';
import { markerOf, type SpokenAnswer } from './answer.ts';

/** What is left on GitHub: the comment's number, as text, and its page. */
export interface Said {
  externalId: string;
  url: string;
}

/** GitHub dates comments by its own clock and in whole seconds, so ours may be dated before it was meant. */
const clockSkewMs = 5 * 60_000;

/** How one answer is looked for and given, with the hidden marker of its key at its end. */
export function createSpeech(
  client: RepositoryClient,
  { key, answer, since: meantAt }: { key: string; answer: SpokenAnswer; since: Date },
) {
  const marker = markerOf(key);
  const since = new Date(meantAt.getTime() - clockSkewMs);
  const body = `${answer.body}\n\n${marker}`;
  const { pullRequest } = answer;
  const list = () =>
    answer.kind === 'comment'
      ? client.findCommentsByMarker(pullRequest, marker, { since })
      : client.findRepliesByMarker(pullRequest, marker, { since });
  return {
    async find(): Promise<Said | undefined> {
      const [first] = await list();
      return first && toSaid(first);
    },
    async say(): Promise<Said> {
      return toSaid(
        answer.kind === 'comment'
          ? await client.createComment(pullRequest, body)
          : await client.replyToReviewComment(pullRequest, answer.rootId, body),
      );
    },
    /** One that an old holder had on the wire came to stand beside it: the oldest stays. */
    async removeDoubles(): Promise<void> {
      for (const { commentId } of (await list()).slice(1)) {
        await (answer.kind === 'comment' ? client.deleteComment(commentId) : client.deleteReviewComment(commentId));
      }
    },
  };
}

const toSaid = ({ commentId, url }: { commentId: number; url: string }): Said => ({
  externalId: String(commentId),
  url,
});
