import { z } from 'zod';
import { maxBodyLength } from '../github/calls/comment-calls.ts';
import type { RepositoryClient } from '../github/calls/repository-client.ts';
import type { Database } from '../store/postgres/database.ts';
import { listEffects } from '../store/tables/jobs/effects.ts';
import { realTiming } from '../timing.ts';
import { type AnswerOf, answerSchema, type CommentAnswer, type KeyedAnswer, markerOf, placePreview } from './answer.ts';
import type { PlannedEffect } from './perform-effect.ts';

/** `gone`: the comment to react to was deleted, or there is no pull request to close. */
const doneSchema = z.object({ externalId: z.string(), url: z.string().optional(), gone: z.literal(true).optional() });
type Done = z.infer<typeof doneSchema>;
export type PlannedAnswer = PlannedEffect<Done>;

export const planAnswer = (client: RepositoryClient, { key, answer }: KeyedAnswer, healing: Healing): PlannedAnswer =>
  answer.kind === 'comment' || answer.kind === 'reply'
    ? planComment(client, { key, answer }, healing)
    : planRepeatable(client, key, answer);

/** Doing it twice does no harm. */
type Repeatable = Exclude<KeyedAnswer['answer'], CommentAnswer>;

const planRepeatable = (client: RepositoryClient, key: string, answer: Repeatable): PlannedAnswer => ({
  key,
  request: answer,
  schema: doneSchema,
  act: () => give(client, answer),
});

function give(client: RepositoryClient, answer: Repeatable): Promise<Done> {
  switch (answer.kind) {
    case 'reaction':
      return react(client, answer);
    case 'deletion':
      return deleteComment(client, answer);
    case 'close':
      return close(client, answer);
    case 'preview':
      return showPreview(client, answer);
    case 'retarget':
      return retarget(client, answer);
  }
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
        await remove(planRepeatable(client, toDoubleKey(key, commentId), { kind: 'deletion', on, commentId }));
    },
  };
}

const toPosted = ({ commentId, url }: { commentId: number; url: string }): Done => ({
  externalId: String(commentId),
  url,
});

async function deleteComment(client: RepositoryClient, { on, commentId }: AnswerOf<'deletion'>): Promise<Done> {
  await (on === 'comment' ? client.deleteComment(commentId) : client.deleteReviewComment(commentId));
  return { externalId: String(commentId) };
}

/** GitHub keeps one reaction of each kind per account. */
async function react(client: RepositoryClient, { on, commentId }: AnswerOf<'reaction'>): Promise<Done> {
  const added = await client.addReaction({ on, commentId });
  return added ? { externalId: String(added.reactionId) } : { externalId: '', gone: true };
}

async function close(client: RepositoryClient, { pullRequest, branch }: AnswerOf<'close'>): Promise<Done> {
  const found = pullRequest === null ? await client.findPullRequest({ branch }) : undefined;
  const number = pullRequest ?? found?.number;
  if (number === undefined) return { externalId: '', gone: true };
  const { url } = await update(client, number, { state: 'closed' });
  return { externalId: String(number), url };
}

/** Every other character of the description stays. */
async function showPreview(client: RepositoryClient, preview: AnswerOf<'preview'>): Promise<Done> {
  const { pullRequest: number, section, isFirst } = preview;
  const found = await client.fetchPullRequest(number);
  if (found?.state !== 'open') return { externalId: '', gone: true };
  const body = placePreview(found.body, section, { isFirst });
  const isSame = body === undefined || body === found.body;
  if (!isSame && body.length <= maxBodyLength) await update(client, number, { body });
  return { externalId: String(number), url: found.url };
}

/**
 * GitHub retargets it only where somebody deletes the branch. What was squashed or rebased has other commits now: the branch merges them, or the
 * pull request would show that change, too. Where that conflicts, GitHub refuses it, and a later run resolves the conflicts.
 */
async function retarget(client: RepositoryClient, answer: AnswerOf<'retarget'>): Promise<Done> {
  const { pullRequest: number, from, to, headSha, mergedSha } = answer;
  const found = await client.fetchPullRequest(number);
  if (found?.state !== 'open' || (found.base !== from && found.base !== to)) return { externalId: '', gone: true };
  if (found.base === from) await update(client, number, { base: to });
  if (!(await client.isMergeOf(mergedSha, headSha))) await client.updateBranch(number, found.headSha);
  return { externalId: String(number), url: found.url };
}

async function update(
  client: RepositoryClient,
  number: number,
  change: { state?: 'closed'; body?: string; base?: string },
) {
  const updated = await client.updatePullRequest(number, change);
  if (updated.kind === 'not_ready') throw new Error(`GitHub does not know pull request ${number} yet`);
  return updated.pullRequest;
}

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
    return answer.kind === 'deletion' ? [planRepeatable(client, effect.key, answer)] : [];
  });
}
