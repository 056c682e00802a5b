import type { RepositoryClient } from '../github/calls/repository-client.ts';
import type { Database } from '../store/postgres/database.ts';
import { listEffects } from '../store/tables/effects.ts';
import { answerSchema, type CommentAnswer, type Deletion, type KeyedAnswer, markerOf } from './answer.ts';

/** What is left on GitHub: the comment's number, as text, and its page. */
export interface PostedComment {
  externalId: string;
  url: string;
}

/** GitHub dates comments by its own clock and in whole seconds, so ours may be dated before it was meant. */
const clockSkewMs = 5 * 60_000;

/** Does a deletion, as an effect of its own. */
export type RecordDeletion = (deletion: KeyedAnswer<Deletion>, deleteComment: () => Promise<void>) => Promise<void>;

/** Idempotent: what is gone is deleted. */
export const carryOut = (client: RepositoryClient, { on, commentId }: Deletion): Promise<void> =>
  on === 'comment' ? client.deleteComment(commentId) : client.deleteReviewComment(commentId);

/** How one answer is looked for and given, with the hidden marker of its key at its end. */
export function createCommentPoster(
  client: RepositoryClient,
  { key, answer, since: meantAt }: { key: string; answer: CommentAnswer; since: Date },
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
    async find(): Promise<PostedComment | undefined> {
      const [first] = await list();
      return first && toSaid(first);
    },
    async post(): Promise<PostedComment> {
      return toSaid(
        answer.kind === 'comment'
          ? await client.createComment(pullRequest, body)
          : await client.replyToReviewComment(pullRequest, answer.rootId, body),
      );
    },
    /** One that an old holder had on the wire came to stand beside it: the oldest stays. */
    async removeDoubles(recorded: RecordDeletion): Promise<void> {
      const on = answer.kind === 'comment' ? 'comment' : 'review_comment';
      for (const { commentId } of (await list()).slice(1)) {
        const deletion: Deletion = { kind: 'deletion', on, commentId };
        await recorded({ key: `${doublesOf(key)}${commentId}`, answer: deletion }, () => carryOut(client, deletion));
      }
    },
  };
}

const doublesOf = (key: string) => `${key}:double:`;

/** Doubles of an answer that somebody was about to delete, and did not record as deleted. */
export async function listUnfinishedDeletions(
  database: Database,
  { jobId, key }: { jobId: string; key: string },
): Promise<KeyedAnswer<Deletion>[]> {
  const effects = await listEffects(database, jobId);
  const doubles = effects.filter((effect) => effect.state === 'intended' && effect.key.startsWith(doublesOf(key)));
  return doubles.flatMap((effect) => {
    const answer = answerSchema.parse(effect.request);
    return answer.kind === 'deletion' ? [{ key: effect.key, answer }] : [];
  });
}

const toSaid = ({ commentId, url }: { commentId: number; url: string }): PostedComment => ({
  externalId: String(commentId),
  url,
});
