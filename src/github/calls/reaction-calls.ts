import { z } from 'zod';
import type { CallContext } from '../client/call-context.ts';

const reactionSchema = z.object({ id: z.number() });

export function createReactionCalls({ connection, owner, repo }: CallContext) {
  return {
    /** Undefined when the comment is gone. Idempotent on GitHub, so it is retried as a read: https://docs.github.com/en/rest/reactions/reactions */
    async addReaction({
      on,
      commentId,
      content,
    }: {
      on: 'comment' | 'review_comment';
      commentId: number;
      content: 'eyes';
    }): Promise<{ reactionId: number } | undefined> {
      return connection.read<{ reactionId: number } | undefined>(
        `react to ${on.replace('_', ' ')} ${commentId} of ${owner}/${repo}`,
        async ({ rest }) => {
          const reaction = { owner, repo, comment_id: commentId, content };
          const { data } =
            on === 'comment'
              ? await rest.reactions.createForIssueComment(reaction)
              : await rest.reactions.createForPullRequestReviewComment(reaction);
          return { reactionId: reactionSchema.parse(data).id };
        },
        { 404: () => undefined },
      );
    },
  };
}
