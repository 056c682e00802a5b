import { z } from 'zod';
import { maxBodyLength } from '../github/calls/max-body-length.ts';
import type { RepositoryClient } from '../github/calls/repository-client.ts';
import type { Database } from '../store/postgres/database.ts';
import { listEffects } from '../store/tables/jobs/effects.ts';
import { realTiming } from '../timing.ts';
import {
  answerSchema,
  type Close,
  type CommentAnswer,
  type Deletion,
  type KeyedAnswer,
  markerOf,
  type Preview,
  type Reaction,
  type Retarget,
} from './answer.ts';
import type { PlannedEffect } from './perform-effect.ts';
import { placePreview } from './place-preview.ts';

/** `gone`: the comment to react to was deleted, or there is no pull request to close. */
const doneSchema = z.object({ externalId: z.string(), url: z.string().optional(), gone: z.literal(true).optional() });
type Done = z.infer<typeof doneSchema>;
export type PlannedAnswer = PlannedEffect<Done>;

export function planAnswer(client: RepositoryClient, { key, answer }: KeyedAnswer, healing: Healing): PlannedAnswer {
  if (answer.kind === 'reaction') return planReaction(client, key, answer);
  if (answer.kind === 'deletion') return planDeletion(client, key, answer);
  if (answer.kind === 'close') return planClose(client, key, answer);
  if (answer.kind === 'preview') return planPreview(client, key, answer);
  if (answer.kind === 'retarget') return planRetarget(client, key, answer);
  return planComment(client, { key, answer }, healing);
}

interface Healing {
  /** When the comment was first intended. */
  since: Date;
  remove: (deletion: PlannedAnswer) => Promise<void>;
}

/** The hidden marker of its key finds the comment or reply of an earlier try. Where two tries posted, the oldest comment stays. */
export function planComment(
  client: RepositoryClient,
  { key, answer }: KeyedAnswer<CommentAnswer>,
  { since: intendedAt, remove }: Healing,
): PlannedAnswer {
  const marker = markerOf(key);
  // GitHub dates comments by its own clock, in whole seconds: a comment may be dated before its intention.
  const since = new Date(intendedAt.getTime() - realTiming.github.clockSkewMs);
  const body = `${answer.body}\n\n${marker}`;
  const { pullRequest } = answer;
  const list = () =>
    answer.kind === 'comment'
      ? client.findCommentsByMarker(pullRequest, marker, { since })
      : client.findRepliesByMarker(pullRequest, marker, { since });
  return {
    key,
    request: answer,
    schema: doneSchema,
    async find() {
      const [first] = await list();
      return first && toPosted(first);
    },
    async act() {
      return toPosted(
        answer.kind === 'comment'
          ? await client.createComment(pullRequest, body)
          : await client.replyToReviewComment(pullRequest, answer.rootId, body),
      );
    },
    async heal() {
      const on = answer.kind === 'comment' ? 'comment' : 'review_comment';
      for (const { commentId } of (await list()).slice(1))
        await remove(planDeletion(client, toDoubleKey(key, commentId), { kind: 'deletion', on, commentId }));
    },
  };
}

const toPosted = ({ commentId, url }: { commentId: number; url: string }): Done => ({
  externalId: String(commentId),
  url,
});

const planDeletion = (client: RepositoryClient, key: string, deletion: Deletion): PlannedAnswer => ({
  key,
  request: deletion,
  schema: doneSchema,
  async act() {
    const { on, commentId } = deletion;
    await (on === 'comment' ? client.deleteComment(commentId) : client.deleteReviewComment(commentId));
    return { externalId: String(commentId) };
  },
});

/** GitHub keeps one reaction of each kind per account, so reacting twice does no harm. */
const planReaction = (client: RepositoryClient, key: string, reaction: Reaction): PlannedAnswer => ({
  key,
  request: reaction,
  schema: doneSchema,
  async act() {
    const { on, commentId } = reaction;
    const added = await client.addReaction({ on, commentId });
    return added ? { externalId: String(added.reactionId) } : { externalId: '', gone: true };
  },
});

/** Closing twice does no harm. */
const planClose = (client: RepositoryClient, key: string, close: Close): PlannedAnswer => ({
  key,
  request: close,
  schema: doneSchema,
  async act() {
    const found = close.pullRequest === null ? await client.findPullRequest({ branch: close.branch }) : undefined;
    const number = close.pullRequest ?? found?.number;
    if (number === undefined) return { externalId: '', gone: true };
    const updated = await client.updatePullRequest(number, { state: 'closed' });
    if (updated.kind === 'not_ready') throw new Error(`GitHub does not know pull request ${number} yet`);
    return { externalId: String(number), url: updated.pullRequest.url };
  },
});

/** Writing the same section twice does no harm. Every other character of the description stays. */
const planPreview = (client: RepositoryClient, key: string, preview: Preview): PlannedAnswer => ({
  key,
  request: preview,
  schema: doneSchema,
  async act() {
    const { pullRequest: number, section, isFirst } = preview;
    const found = await client.fetchPullRequest(number);
    if (found?.state !== 'open') return { externalId: '', gone: true };
    const body = placePreview(found.body, section, { isFirst });
    const done = { externalId: String(number), url: found.url };
    if (body === undefined || body === found.body || body.length > maxBodyLength) return done;
    const updated = await client.updatePullRequest(number, { body });
    if (updated.kind === 'not_ready') throw new Error(`GitHub does not know pull request ${number} yet`);
    return done;
  },
});

/**
 * GitHub retargets it only where somebody deletes the branch. What was squashed or rebased has other commits now: the branch merges them, or the
 * pull request would show that change, too. Where that conflicts, GitHub refuses it, and a later run resolves the conflicts.
 */
const planRetarget = (client: RepositoryClient, key: string, retarget: Retarget): PlannedAnswer => ({
  key,
  request: retarget,
  schema: doneSchema,
  async act() {
    const { pullRequest: number, from, to, headSha, mergedSha } = retarget;
    const found = await client.fetchPullRequest(number);
    if (found?.state !== 'open' || (found.base !== from && found.base !== to)) return { externalId: '', gone: true };
    const updated = found.base === from ? await client.updatePullRequest(number, { base: to }) : undefined;
    if (updated?.kind === 'not_ready') throw new Error(`GitHub does not know pull request ${number} yet`);
    if (!(await client.isMergeOf(mergedSha, headSha))) await client.updateBranch(number, found.headSha);
    return { externalId: String(number), url: found.url };
  },
});

const doublePrefixOf = (key: string) => `${key}:double:`;
const toDoubleKey = (key: string, commentId: number) => `${doublePrefixOf(key)}${commentId}`;

/** The deletions of this comment's doubles that are not recorded as done. GitHub may no longer list the doubles. */
export async function listUnfinishedDeletions(
  database: Database,
  client: RepositoryClient,
  { jobId, key }: { jobId: string; key: string },
): Promise<PlannedAnswer[]> {
  const effects = await listEffects(database, jobId);
  const doubles = effects.filter((effect) => effect.state === 'intended' && effect.key.startsWith(doublePrefixOf(key)));
  return doubles.flatMap((effect) => {
    const answer = answerSchema.parse(effect.request);
    return answer.kind === 'deletion' ? [planDeletion(client, effect.key, answer)] : [];
  });
}
