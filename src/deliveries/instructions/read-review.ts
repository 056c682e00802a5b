import type { RepositoryClient } from '../../github/calls/repository-client.ts';
import type { ReviewComment } from '../../github/calls/review-calls.ts';
import { GitHubRefusal } from '../../github/refusals/github-refusal.ts';
import { findReviewCommentBodies } from '../../store/tables/repositories/deliveries.ts';
import type { Project } from '../../store/tables/repositories/projects.ts';
import { bound } from '../../text/bound.ts';
import { withoutInvisible } from '../../text/invisible.ts';
import { stripHiddenInThread } from '../../text/read-in-thread.ts';
import type { DeliveryContext } from '../delivery-context.ts';
import type { Written } from '../payload.ts';
import { cutExcerpt, maxRemarks, type ReadReview, type Remark } from './compose-review.ts';

const maxBodyLength = 32_000;
const maxRemarkLength = 10_000;
const maxExcerptLength = 1_000;
const maxQuotedLength = 2_000;
/** All remarks together have this room, and so have all quotes and all excerpts. Each remark gets an even share. */
const maxTotalLength = 60_000;
/** For more threads, one list takes fewer requests than single reads. */
const maxSingleReads = 3;

/** Reads a review and its comments. Prefers the delivered texts: they may have been edited since. Undefined if the review is deleted. */
export async function readReview(
  context: DeliveryContext<Written>,
  { project, number }: { project: Project; number: number },
  reviewId: number,
): Promise<ReadReview | undefined> {
  const { database, openProject, fields, signal } = context;
  const permissions = { pull_requests: 'read', metadata: 'read' } as const;
  await using access = await openProject(project, permissions, signal);
  const { client } = access;
  const review = fields.review ?? (await fetchReview(client, { number, reviewId }));
  if (!review) return undefined;
  const delivered = await findReviewCommentBodies(database, { repositoryId: project.repository_id, reviewId });
  const comments = await client.listReviewComments(number, reviewId).catch(undefinedIfGone);
  if (!comments) return undefined;
  const share = Math.floor(maxTotalLength / Math.max(Math.min(comments.length, maxRemarks), 1));
  const within = (text: string, maxLength: number) => bound(text, Math.min(maxLength, share));
  const roots = new Set(comments.slice(0, maxRemarks).flatMap(({ inReplyTo }) => inReplyTo ?? []));
  const quotes = new Map<number | null, Remark['quoted']>();
  for (const root of await fetchRoots(client, { number, roots }))
    quotes.set(root.commentId, await findQuoted(context, project, root));
  const resolved = comments.length > 0 ? await client.listResolvedThreads(number) : new Set<number>();
  const remarks = comments.map(({ commentId, inReplyTo, path, startLine, line, diffHunk, body }): Remark => {
    const quoted = quotes.get(inReplyTo);
    return {
      commentId,
      rootId: inReplyTo ?? commentId,
      isResolved: resolved.has(inReplyTo ?? commentId),
      path,
      startLine,
      line,
      excerpt: within(withoutInvisible(cutExcerpt(diffHunk)), maxExcerptLength),
      quoted: quoted ? { ...quoted, text: within(quoted.text, maxQuotedLength) } : null,
      text: within(delivered.get(commentId) ?? body, maxRemarkLength),
    };
  });
  const writtenAt = new Date(review.submitted_at ?? fields.comment?.created_at ?? Date.now());
  return { writtenAt, body: bound(review.body ?? '', maxBodyLength), remarks };
}

function undefinedIfGone(error: unknown): undefined {
  if (error instanceof GitHubRefusal && error.reason === 'not_found') return undefined;
  throw error;
}

async function fetchReview(client: RepositoryClient, { number, reviewId }: { number: number; reviewId: number }) {
  const review = await client.fetchReview(number, reviewId);
  return review && { body: review.body, submitted_at: review.submittedAt?.toISOString() };
}

async function fetchRoots(
  client: RepositoryClient,
  { number, roots }: { number: number; roots: ReadonlySet<number> },
): Promise<ReviewComment[]> {
  if (roots.size > maxSingleReads)
    return (await client.listReviewCommentsOfPullRequest(number)).filter(({ commentId }) => roots.has(commentId));
  const found = await Promise.all([...roots].map((rootId) => client.fetchReviewComment(rootId)));
  return found.filter((root) => root !== undefined);
}

/** The text that a reply answers, if the App or a person who may prompt wrote it: a stranger's text must not get to the model. */
async function findQuoted(
  { github, isTrusted, runTask, signal }: DeliveryContext,
  project: Project,
  root: ReviewComment,
): Promise<Remark['quoted']> {
  if (!root.author) return null;
  const { login, userId, isBot } = root.author;
  const isOurs = isBot && login === (await github.fetchBotLogin(signal));
  const mayQuote = isOurs || (!isBot && (await isTrusted({ project, person: { login, userId }, signal })));
  return mayQuote ? { author: login, text: await stripHiddenInThread(root.body, runTask, signal) } : null;
}
