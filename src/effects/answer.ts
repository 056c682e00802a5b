import { z } from 'zod';

const reactionSchema = z.object({
  kind: z.literal('reaction'),
  /** A comment of the conversation, or one in a thread on the changed files. */
  on: z.enum(['comment', 'review_comment']),
  commentId: z.number(),
});
const commentSchema = z.object({ kind: z.literal('comment'), pullRequest: z.number(), body: z.string() });
const replySchema = z.object({
  kind: z.literal('reply'),
  pullRequest: z.number(),
  /** The comment that the thread began with. */
  rootId: z.number(),
  body: z.string(),
});

/** Deletes a comment that was posted twice. */
const deletionSchema = z.object({
  kind: z.literal('deletion'),
  on: z.enum(['comment', 'review_comment']),
  commentId: z.number(),
});

/** A write in a pull request's conversation: an eyes reaction, a comment, a reply in a review thread, or the deletion of a double. */
export type Answer = z.infer<typeof answerSchema>;
export type Reaction = z.infer<typeof reactionSchema>;
export type CommentAnswer = Exclude<Answer, { kind: 'reaction' | 'deletion' }>;
export type Deletion = z.infer<typeof deletionSchema>;

/** As an effect stores it. The body is without its marker. */
export const answerSchema = z.discriminatedUnion('kind', [reactionSchema, commentSchema, replySchema, deletionSchema]);

/** `key`: unique in the job; each key is answered once. */
export interface KeyedAnswer<Kind extends Answer = Answer> {
  key: string;
  answer: Kind;
}

/** The hidden end of every comment body, by which a posted comment is found. */
export const markerOf = (key: string) => `<!-- pagewright:${key} -->`;

export const eyesOn = (on: 'comment' | 'review_comment', commentId: number): KeyedAnswer => ({
  key: `${on}:${commentId}:eyes`,
  answer: { kind: 'reaction', on, commentId },
});
