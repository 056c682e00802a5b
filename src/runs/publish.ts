import { closerPermissions } from '../github/people-calls.ts';
import type { PullRequest } from '../github/pull-request.ts';
import type { RepositoryClient } from '../github/repository-client.ts';
import type { RunEnd } from '../jobs/end-run.ts';
import { listMessagesOfRun } from '../store/messages.ts';
import { hasCommit } from '../workspace/commits.ts';
import { addLabelsAndReviewers } from './add-labels-and-reviewers.ts';
import { findBaseConflict } from './find-base-conflict.ts';
import { fetchBranch, findPushed } from './find-pushed.ts';
import { type Conflict, storePublication } from './freeze.ts';
import { giveAnswers } from './give-answers.ts';
import { makeCommit } from './make-commit.ts';
import { openJobAccess, publishingPermissions, type RunAtSite } from './open-site.ts';
import type { Change, Publication } from './publication.ts';
import { pushChange } from './push-change.ts';
import { putPullRequest } from './put-pull-request.ts';
import { readJobAnew } from './read-job-anew.ts';
import type { RunParts } from './run-parts.ts';

/** Somebody closed or merged the pull request before the run had published. */
export interface Closed {
  kind: 'closed' | 'merged';
}

export type Published = { kind: 'published'; end: RunEnd } | Closed | Conflict;

type Publishing = RunAtSite & { publication: Publication; client: RepositoryClient; token: string };

/** Does what was frozen, in order: commit, push, pull request, answers. Each is done once, however often this is called. */
export async function publish(parts: RunParts, frozen: RunAtSite & { publication: Publication }): Promise<Published> {
  const given = await readJobAnew(parts, frozen);
  const { job, run, site, signal } = given;
  const { change, end: frozenEnd } = given.publication;
  if (!change && job.pull_request_number === null) return { kind: 'published', end: frozenEnd };
  await using access = await openJobAccess(parts, {
    job,
    permissions: change ? publishingPermissions : { pull_requests: 'write' },
    signal,
  });
  const { client, token } = access;
  const publishing = { ...given, client, token };
  const known = change ? await fetchOwn(parts, publishing) : undefined;
  // A push would bring back a branch that somebody deleted with its pull request.
  if (known && 'kind' in known) return known;
  if (change) await remakeCommit(parts, { ...publishing, change });
  const moved = change && (await findBaseConflict(parts, { ...publishing, change }));
  if (moved?.kind === 'conflict') return moved;
  const publication = moved ? await addWarning(parts, { ...given, warning: moved.warning }) : given.publication;
  const pushed = change && (await pushOntoTip(parts, { ...publishing, publication, change }));
  if (pushed && 'kind' in pushed) return pushed;

  const end = change && !pushed ? alreadyThere : { ...frozenEnd, commitSha: pushed?.sha };
  const put = pushed && (await putPullRequest(parts, { ...publishing, change: pushed, known }));
  if (put?.isNew) await addLabelsAndReviewers(parts, { ...publishing, number: put.number });
  const number = put?.number ?? job.pull_request_number;
  const { warnings = [] } = publication;
  // A new pull request is the answer itself.
  const isSaid = put?.isNew && warnings.length === 0;
  if (number === null || isSaid) return { kind: 'published', end };

  const { owner, repo } = site.repository;
  const report = {
    runId: run.run_id,
    pullRequest: number,
    messages: await listMessagesOfRun(parts.database, run.run_id),
    summary: publication.summary,
    limit: publication.limit,
    commitUrl: pushed ? `${parts.webUrl}/${owner}/${repo}/commit/${pushed.sha}` : undefined,
    replies: publication.replies,
    warnings,
    isFailure: frozenEnd.outcome === 'failed',
  };
  await giveAnswers(parts, { ...publishing, report });
  return { kind: 'published', end };
}

/** Frozen like all else that people are told, so that whoever takes the run over tells it too. */
async function addWarning(
  parts: RunParts,
  given: RunAtSite & { publication: Publication; warning: string },
): Promise<Publication> {
  const { warning } = given;
  const warnings = [...new Set([...(given.publication.warnings ?? []), warning])];
  const publication = { ...given.publication, warnings };
  await storePublication(parts, { ...given, publication });
  return publication;
}

/** The job's own pull request as it is now; undefined when it has none, or it is one that our own push closed. */
async function fetchOwn(
  parts: RunParts,
  { job, client, signal }: Publishing,
): Promise<PullRequest | Closed | undefined> {
  const { pull_request_number: number } = job;
  const own = number === null ? undefined : await client.fetchPullRequest(number);
  if (!own || own.state === 'open') return own;
  if (own.merged) return { kind: 'merged' };
  // Nobody asked for a close that came of a push of ours which left nothing to merge: it is opened again.
  // By a token of its own: publishing needs nothing of issues, which an installation may not grant.
  await using access = await openJobAccess(parts, { job, permissions: closerPermissions, signal });
  return (await access.client.isClosedByUs(own.number)) ? own : { kind: 'closed' };
}

const alreadyThere: RunEnd = {
  outcome: 'completed',
  code: 'unchanged',
  sentence: 'Nothing was left to change: somebody pushed the same to the branch meanwhile.',
};

/**
 * Pushes; where the tip has moved, the change is merged onto the new one, frozen again and pushed there. Returns the change as
 * it was pushed, or null when a person's push holds all of it already.
 */
async function pushOntoTip(
  parts: RunParts,
  given: Publishing & { change: Change },
): Promise<Change | null | Conflict | Closed> {
  const { publication, site, signal } = given;
  const { mergedBaseSha } = site.ground;
  let { change } = given;
  for (;;) {
    const pushed = await pushChange(parts, { ...given, change });
    if (pushed.kind === 'pushed') return { ...change, sha: pushed.sha };
    const { tip } = pushed;
    const own = tip === null ? await fetchOwn(parts, given) : undefined;
    if (own && 'kind' in own) return own;
    await using mirror = await fetchBranch(parts, { ...given, change });
    // Our commit is in there, with somebody's on top: only its record is missing, which the next round makes up for.
    if (tip !== null && (await findPushed(parts, { ...given, change, mirror, tip }))) continue;
    const made = await makeCommit(parts, { ...change, site, tip, signal });
    if (made.kind === 'conflict') return { ...made, tip: tip ?? site.ground.sha, mergedBaseSha };
    if (made.kind === 'empty') return null;
    change = { ...change, tip, sha: made.sha };
    await storePublication(parts, { ...given, publication: { ...publication, change } });
  }
}

/** Whoever took the run over has the frozen words, but not yet the commit that they make. */
async function remakeCommit(parts: RunParts, { change, site, signal }: RunAtSite & { change: Change }): Promise<void> {
  if (await hasCommit({ git: parts.git, mirror: site.mirror, sha: change.sha, signal })) return;
  const made = await makeCommit(parts, { ...change, site, signal });
  if (made.kind !== 'made' || made.sha !== change.sha) {
    throw new Error(
      `could not make the frozen commit ${change.sha} again: ${made.kind === 'made' ? made.sha : made.kind}`,
    );
  }
}
