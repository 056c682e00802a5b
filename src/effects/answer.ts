import { z } from 'zod';
import type { StoreTx } from '../store/store.ts';
import type { Asker } from '../store/tables/columns.ts';
import { findEffect, intendEffect, queueEpoch } from '../store/tables/jobs/effects.ts';

/** A write in a pull request's conversation, or its end. An effect stores the body without its marker. */
export const answerSchema = z.discriminatedUnion('kind', [
  z.object({
    kind: z.literal('reaction'),
    on: z.enum(['comment', 'review_comment', 'issue']),
    /** The number, if it is an issue. */
    commentId: z.number(),
  }),
  z.object({
    kind: z.literal('comment'),
    /** Or the number of an issue. */
    pullRequest: z.number(),
    /** The repository of the issue; absent: a pull request of the job's repository. */
    issueOf: z.number().optional(),
    body: z.string(),
  }),
  z.object({
    kind: z.literal('reply'),
    pullRequest: z.number(),
    /** The comment that the thread began with. */
    rootId: z.number(),
    body: z.string(),
  }),
  /** Removes a comment that was posted twice. */
  z.object({ kind: z.literal('deletion'), on: z.enum(['comment', 'review_comment']), commentId: z.number() }),
  z.object({
    kind: z.literal('close'),
    /** null: not recorded; the branch finds it. */
    pullRequest: z.number().nullable(),
    branch: z.string(),
  }),
  z.object({
    kind: z.literal('preview'),
    pullRequest: z.number(),
    section: z.string(),
    /** The description has no such section yet. */
    isFirst: z.boolean(),
  }),
  z.object({
    kind: z.literal('retarget'),
    pullRequest: z.number(),
    /** The branch of the pull request that was merged, and the one that it was merged into. */
    from: z.string(),
    to: z.string(),
    /** Its last commit, and what GitHub made of it there. */
    headSha: z.string(),
    mergedSha: z.string(),
  }),
]);
export type Answer = z.infer<typeof answerSchema>;
export type AnswerOf<Kind extends Answer['kind']> = Extract<Answer, { kind: Kind }>;
export type CommentAnswer = AnswerOf<'comment' | 'reply'>;

/** Each key is answered once in a job. */
export interface KeyedAnswer<Kind extends Answer = Answer> {
  key: string;
  answer: Kind;
}

/** The hidden end of every comment body, which finds a posted comment. */
export const markerOf = (key: string) => `<!-- pagewright:${key} -->`;

export const eyesOn = (on: AnswerOf<'reaction'>['on'], commentId: number): KeyedAnswer => ({
  key: `${on}:${commentId}:eyes`,
  answer: { kind: 'reaction', on, commentId },
});

/** Begins the key of each effect that writes the section. */
export const previewKey = 'preview:';
export const previewStart = '<!-- pagewright:preview:start -->';
export const previewEnd = '<!-- pagewright:preview:end -->';

/** The body with the section, after Pagewright's own; undefined: a person removed it. `isFirst`: it had none before. */
export function placePreview(body: string, section: string, { isFirst }: { isFirst: boolean }): string | undefined {
  const from = body.indexOf(previewStart);
  const to = body.indexOf(previewEnd, from);
  if (from >= 0 && to >= 0) return body.slice(0, from) + section + body.slice(to + previewEnd.length);
  if (!isFirst) return undefined;
  const own = '<!-- pagewright:end -->';
  const at = body.indexOf(own);
  const after = at < 0 ? body.length : at + own.length;
  return `${body.slice(0, after)}\n\n${section}${body.slice(after)}`;
}

/** A request ends after 30 s, and a list may lag behind. */
const answerOnItsWayMs = 35_000;

/** Promises an answer, once per key, in the caller's transaction, which must lock the job. Returns false if that was kept or refused before. */
export async function intendAnswer(
  { tx, queue }: StoreTx,
  options: KeyedAnswer & {
    jobId: string;
    runId?: string;
    messageId?: string;
    asker?: Asker;
    /** A request that a run has sent may still make what the answer needs. */
    isOnItsWay?: boolean;
  },
): Promise<boolean> {
  const { jobId, runId, messageId, asker, key, answer, isOnItsWay = false } = options;
  const owner = { ...(runId && { runId }), ...(messageId && { messageId }), ...(asker && { asker }) };
  const earlier = await findEffect(tx, { jobId, key });
  const { effect } = await intendEffect(tx, { jobId, ...owner, key, epoch: queueEpoch, request: answer });
  if (effect.state !== 'intended') return false;
  // Two entries would run side by side. If the first one was lost, the sweep sends it again.
  if (earlier?.epoch === queueEpoch) return true;
  // A run may have posted it: by then its comment is visible to the queue.
  await queue.send(tx, 'answer', { jobId, key }, { delayMs: earlier || isOnItsWay ? answerOnItsWayMs : 0 });
  return true;
}
