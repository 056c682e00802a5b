import { hasCommit } from '../../git/commits.ts';
import { closerPermissions } from '../../github/calls/people-calls.ts';
import type { PullRequest } from '../../github/calls/pull-request-calls.ts';
import type { RepositoryClient } from '../../github/calls/repository-client.ts';
import type { RunEnd } from '../../jobs/end-run.ts';
import { listMessagesOfRun } from '../../store/tables/messages.ts';
import { postAnswers } from '../give-answers.ts';
import { openJobAccess, publishingPermissions, type RunAtSite } from '../prepare/open-checkout.ts';
import { readJobAnew } from '../read-job-anew.ts';
import type { RunParts } from '../run-parts.ts';
import { addLabelsAndReviewers } from './add-labels-and-reviewers.ts';
import { findBaseConflict } from './find-base-conflict.ts';
import { fetchBranch, findPushed } from './find-pushed.ts';
import { type Conflict, storePublication } from './freeze.ts';
import { makeCommit } from './make-commit.ts';
import type { Change, Publication } from './publication.ts';
import { pushChange } from './push-change.ts';
import { upsertPullRequest } from './upsert-pull-request.ts';

/** Somebody closed or merged the pull request before the run had published. */
export interface Closed {
  kind: 'closed' | 'merged';
}

export type Published = { kind: 'published'; end: RunEnd } | Closed | Conflict;

type Publishing = RunAtSite & { publication: Publication; change: Change; client: RepositoryClient; token: string };

/** Does what was frozen, in order: commit, push, pull request, answers. Each is done once, however often this is called. */
export async function publish(parts: RunParts, frozen: RunAtSite & { publication: Publication }): Promise<Published> {
  const given = await readJobAnew(parts, frozen);
  const { job, signal } = given;
  const { change, end } = given.publication;
  if (!change) {
    await answerOnly(parts, given);
    return { kind: 'published', end };
  }
  await using access = await openJobAccess(parts, { job, permissions: publishingPermissions, signal });
  const { client, token } = access;
  const publishing = { ...given, change, client, token };
  const own = await fetchOwn(parts, publishing);
  // A push would bring back a branch that somebody deleted with its pull request.
  if (own.kind !== 'ours') return own;
  await remakeCommit(parts, publishing);
  const moved = await findBaseConflict(parts, publishing);
  if (moved?.kind === 'conflict') return moved;
  const publication = moved ? await addWarning(parts, { ...given, warning: moved.warning }) : given.publication;
  const pushed = await pushOntoTip(parts, { ...publishing, publication });
  if (pushed.kind === 'already_there') {
    await giveReport(parts, { ...publishing, publication, pullRequest: job.pull_request_number });
    return { kind: 'published', end: alreadyThere };
  }
  if (pushed.kind !== 'pushed') return pushed;

  const { sha } = pushed.change;
  const put = await upsertPullRequest(parts, { ...publishing, change: pushed.change, known: own.pullRequest });
  if (put.isNew) await addLabelsAndReviewers(parts, { ...publishing, number: put.number });
  const { warnings = [] } = publication;
  // A new pull request is the answer itself.
  const isSaid = put.isNew && warnings.length === 0;
  if (!isSaid) await giveReport(parts, { ...publishing, publication, pullRequest: put.number, sha });
  return { kind: 'published', end: { ...end, commitSha: sha } };
}

/** What a run that changed nothing has to say, it says on the pull request that is there. */
async function answerOnly(parts: RunParts, given: RunAtSite & { publication: Publication }): Promise<void> {
  const { job, signal } = given;
  if (job.pull_request_number === null) return;
  await using access = await openJobAccess(parts, { job, permissions: { pull_requests: 'write' }, signal });
  await giveReport(parts, { ...given, client: access.client, pullRequest: job.pull_request_number });
}

/** Answers those who asked, if there is a pull request to do so on. `sha`: the commit that was pushed. */
async function giveReport(
  parts: RunParts,
  given: Omit<Publishing, 'change' | 'token'> & { pullRequest: number | null; sha?: string },
): Promise<void> {
  const { run, site, publication, pullRequest, sha } = given;
  if (pullRequest === null) return;
  const { summary, limit, replies, warnings = [], end } = publication;
  const { owner, repo } = site.repository;
  const report = {
    runId: run.run_id,
    pullRequest,
    messages: await listMessagesOfRun(parts.database, run.run_id),
    summary,
    limit,
    commitUrl: sha === undefined ? undefined : `${parts.webUrl}/${owner}/${repo}/commit/${sha}`,
    replies,
    warnings,
    isFailure: end.outcome === 'failed',
  };
  await postAnswers(parts, { ...given, report });
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

/** The job's pull request as it is now, if it has one: open, or closed by our own push. `Closed`: somebody has ended the job. */
async function fetchOwn(
  parts: RunParts,
  { job, client, signal }: Publishing,
): Promise<{ kind: 'ours'; pullRequest: PullRequest | undefined } | Closed> {
  const { pull_request_number: number } = job;
  const own = number === null ? undefined : await client.fetchPullRequest(number);
  if (!own || own.state === 'open') return { kind: 'ours', pullRequest: own };
  if (own.merged) return { kind: 'merged' };
  // Nobody asked for a close that came of a push of ours which left nothing to merge: it is opened again.
  // By a token of its own: publishing needs nothing of issues, which an installation may not grant.
  await using access = await openJobAccess(parts, { job, permissions: closerPermissions, signal });
  return (await access.client.isClosedByUs(own.number)) ? { kind: 'ours', pullRequest: own } : { kind: 'closed' };
}

const alreadyThere: RunEnd = {
  outcome: 'completed',
  code: 'unchanged',
  sentence: 'Nothing was left to change: somebody pushed the same to the branch meanwhile.',
};

/**
 * Pushes; where the tip has moved, the change is merged onto the new one, frozen again and pushed there. `change`: as it was pushed.
 * `already_there`: a person's push holds all of it.
 */
async function pushOntoTip(
  parts: RunParts,
  given: Publishing,
): Promise<{ kind: 'pushed'; change: Change } | { kind: 'already_there' } | Conflict | Closed> {
  const { publication, site, signal } = given;
  const { mergedBaseSha } = site.ground;
  let { change } = given;
  for (;;) {
    const pushed = await pushChange(parts, { ...given, change });
    if (pushed.kind === 'pushed') return { kind: 'pushed', change: { ...change, sha: pushed.sha } };
    const { tip } = pushed;
    const own = tip === null ? await fetchOwn(parts, given) : undefined;
    if (own && own.kind !== 'ours') return own;
    await using mirror = await fetchBranch(parts, { ...given, change });
    // Our commit is in there, with somebody's on top: only its record is missing, which the next round makes up for.
    if (tip !== null && (await findPushed(parts, { ...given, change, mirror, tip }))) continue;
    const made = await makeCommit(parts, { ...change, site, tip, signal });
    if (made.kind === 'conflict') return { ...made, tip: tip ?? site.ground.sha, mergedBaseSha };
    if (made.kind === 'empty') return { kind: 'already_there' };
    change = { ...change, tip, sha: made.sha };
    await storePublication(parts, { ...given, publication: { ...publication, change } });
  }
}

/** Whoever took the run over has the frozen words, but not yet the commit that they make. */
async function remakeCommit(parts: RunParts, { change, site, signal }: RunAtSite & { change: Change }): Promise<void> {
  if (await hasCommit({ git: parts.git, gitDir: site.mirror.directory, sha: change.sha, signal })) return;
  const made = await makeCommit(parts, { ...change, site, signal });
  if (made.kind !== 'made' || made.sha !== change.sha) {
    throw new Error(
      `could not make the frozen commit ${change.sha} again: ${made.kind === 'made' ? made.sha : made.kind}`,
    );
  }
}
