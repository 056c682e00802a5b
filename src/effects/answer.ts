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

/** Of an answer that came to stand there twice. */
const deletionSchema = z.object({
  kind: z.literal('deletion'),
  on: z.enum(['comment', 'review_comment']),
  commentId: z.number(),
});

/** What is said on GitHub: a sign that something was seen, a comment in the conversation, a reply in a thread of a review; or what is taken back. */
export type Answer = z.infer<typeof answerSchema>;
export type Reaction = z.infer<typeof reactionSchema>;
export type CommentAnswer = Exclude<Answer, { kind: 'reaction' | 'deletion' }>;
export type Deletion = z.infer<typeof deletionSchema>;

/** An answer as an effect holds it; the body is without its marker. */
export const answerSchema = z.discriminatedUnion('kind', [reactionSchema, commentSchema, replySchema, deletionSchema]);

/** An answer and the name under which its job has it once. */
export interface KeyedAnswer<Kind extends Answer = Answer> {
  key: string;
  answer: Kind;
}

/** Ends every body of ours, so that an answer that was given can be found again. */
export const markerOf = (key: string) => `<!-- pagewright:${key} -->`;

export const eyesOn = (on: 'comment' | 'review_comment', commentId: number): KeyedAnswer => ({
  key: `${on}:${commentId}:eyes`,
  answer: { kind: 'reaction', on, commentId },
});
