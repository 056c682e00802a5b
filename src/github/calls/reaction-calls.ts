import { z } from 'zod';
import type { CallContext } from '../client/call-context.ts';

const reactionSchema = z.object({ id: z.number() });

export function createReactionCalls({ connection, owner, repo }: CallContext) {
  return {
    /** On a comment, or on the issue of this number. Undefined when it is gone. Idempotent on GitHub, so it is retried as a read: https://docs.github.com/en/rest/reactions/reactions */
    async addReaction(options: {
      on: 'comment' | 'review_comment' | 'issue';
      commentId: number;
      content: 'eyes';
    }): Promise<{ reactionId: number } | undefined> {
      const { on, commentId, content } = options;
      return connection.read<{ reactionId: number } | undefined>(
        `react to ${on.replace('_', ' ')} ${commentId} of ${owner}/${repo}`,
        async ({ rest }) => {
          const reaction = { owner, repo, content };
          const ofComment = { ...reaction, comment_id: commentId };
          const { data } =
            on === 'issue'
              ? await rest.reactions.createForIssue({ ...reaction, issue_number: commentId })
              : on === 'comment'
                ? await rest.reactions.createForIssueComment(ofComment)
                : await rest.reactions.createForPullRequestReviewComment(ofComment);
          return { reactionId: reactionSchema.parse(data).id };
        },
        { 404: () => undefined },
      );
    },
  };
}
