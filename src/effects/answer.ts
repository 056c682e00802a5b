import { z } from 'zod';

const reactionSchema = z.object({
  kind: z.literal('reaction'),
  on: z.enum(['comment', 'review_comment', 'issue']),
  /** The number, if it is an issue. */
  commentId: z.number(),
});
const commentSchema = z.object({
  kind: z.literal('comment'),
  /** Or the number of an issue. */
  pullRequest: z.number(),
  /** The repository of the issue; absent: a pull request of the job's repository. */
  issueOf: z.number().optional(),
  body: z.string(),
});
const replySchema = z.object({
  kind: z.literal('reply'),
  pullRequest: z.number(),
  /** The comment that the thread began with. */
  rootId: z.number(),
  body: z.string(),
});

const deletionSchema = z.object({
  kind: z.literal('deletion'),
  on: z.enum(['comment', 'review_comment']),
  commentId: z.number(),
});

const closeSchema = z.object({
  kind: z.literal('close'),
  /** null: not recorded; the branch finds it. */
  pullRequest: z.number().nullable(),
  branch: z.string(),
});

const previewSchema = z.object({
  kind: z.literal('preview'),
  pullRequest: z.number(),
  section: z.string(),
  /** The description has no such section yet. */
  isFirst: z.boolean(),
});

const retargetSchema = z.object({
  kind: z.literal('retarget'),
  pullRequest: z.number(),
  /** The branch of the pull request that was merged, and the one that it was merged into. */
  from: z.string(),
  to: z.string(),
  /** Its last commit, and what GitHub made of it there. */
  headSha: z.string(),
  mergedSha: z.string(),
});

/** A write in a pull request's conversation, or its end. A deletion removes a comment that was posted twice. */
export type Answer = z.infer<typeof answerSchema>;
export type Reaction = z.infer<typeof reactionSchema>;
export type CommentAnswer = Exclude<Answer, { kind: 'reaction' | 'deletion' | 'close' | 'preview' | 'retarget' }>;
export type Preview = z.infer<typeof previewSchema>;
export type Close = z.infer<typeof closeSchema>;
export type Retarget = z.infer<typeof retargetSchema>;
export type Deletion = z.infer<typeof deletionSchema>;

/** An effect stores the body without its marker. */
export const answerSchema = z.discriminatedUnion('kind', [
  reactionSchema,
  commentSchema,
  replySchema,
  deletionSchema,
  closeSchema,
  previewSchema,
  retargetSchema,
]);

/** Each key is answered once in a job. */
export interface KeyedAnswer<Kind extends Answer = Answer> {
  key: string;
  answer: Kind;
}

/** The hidden end of every comment body, which finds a posted comment. */
export const markerOf = (key: string) => `<!-- pagewright:${key} -->`;

export const eyesOn = (on: Reaction['on'], commentId: number): KeyedAnswer => ({
  key: `${on}:${commentId}:eyes`,
  answer: { kind: 'reaction', on, commentId },
});
