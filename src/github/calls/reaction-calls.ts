import { z } from 'zod';
import type { CallSite } from '../client/call-context.ts';

const reactionSchema = z.object({ id: z.number() });

/** The reaction calls of a repository client; its face says what they promise. */
export function createReactionCalls({ connection, owner, repo }: CallSite) {
  return {
    /**
     * Reacts to a comment of a conversation or of a review; undefined when the comment is gone. Idempotent on GitHub, which answers with the
     * reaction that is there already (https://docs.github.com/en/rest/reactions/reactions), so it is repeated as a read is.
     */
    async addReaction(given: {
      on: 'comment' | 'review_comment';
      commentId: number;
      content: 'eyes';
    }): Promise<{ reactionId: number } | undefined> {
      const { on, commentId, content } = given;
      return connection.read<{ reactionId: number } | undefined>(
        `react to ${on.replace('_', ' ')} ${commentId} of ${owner}/${repo}`,
        async ({ rest }) => {
          const wanted = { owner, repo, comment_id: commentId, content };
          const { data } =
            on === 'comment'
              ? await rest.reactions.createForIssueComment(wanted)
              : await rest.reactions.createForPullRequestReviewComment(wanted);
          return { reactionId: reactionSchema.parse(data).id };
        },
        { 404: () => undefined },
      );
    },
  };
}
