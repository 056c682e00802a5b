import { RunFailure } from '../errors.ts';
import type { RepositoryClient } from '../github/repository-client.ts';
import type { RunEnd } from '../jobs/end-run.ts';
import type { Job } from '../store/jobs.ts';
import { hasCommit, isContained } from '../workspace/commits.ts';
import { type Conflict, storePublication } from './freeze.ts';
import { leaveComment } from './leave-comment.ts';
import { makeCommit } from './make-commit.ts';
import { openAccess, type RunAtSite } from './open-site.ts';
import type { Change, Publication } from './publication.ts';
import { writeComment } from './pull-request-text.ts';
import { pushChange } from './push-change.ts';
import { putPullRequest } from './put-pull-request.ts';
import type { RunParts } from './run-parts.ts';

/** `closed`: somebody closed or merged the pull request while the run published. */
export type Published = { kind: 'published'; end: RunEnd } | { kind: 'closed' } | Conflict;

/** Does what was frozen, in order: commit, push, pull request, comment. Each is done once, however often this is called. */
export async function publish(parts: RunParts, given: RunAtSite & { publication: Publication }): Promise<Published> {
  const { publication, job, run, site, signal } = given;
  const { change } = publication;
  if (!change && job.pull_request_number === null) return { kind: 'published', end: publication.end };
  await using access = await openAccess(parts, {
    job,
    name: site.repository,
    permissions: change ? { contents: 'write', pull_requests: 'write' } : { pull_requests: 'write' },
    signal,
  });
  const { client, token } = access;
  const known = await fetchOwn(client, job);
  // A push would bring back a branch that somebody deleted with its pull request.
  if (change && known?.state === 'closed') return { kind: 'closed' };
  const pushed = change && (await pushOntoTip(parts, { ...given, publication, change, token, client }));
  if (pushed && 'kind' in pushed) return pushed;

  const end = change && !pushed ? alreadyThere : { ...publication.end, commitSha: pushed?.sha };
  const put = pushed && (await putPullRequest(parts, { ...given, client, change: pushed, known }));
  const number = put?.number ?? job.pull_request_number;
  // A new pull request is the answer itself.
  if (number === null || put?.isNew) return { kind: 'published', end };

  const { owner, repo } = site.repository;
  const body = writeComment({
    summary: publication.summary,
    commitUrl: pushed ? `${parts.webUrl}/${owner}/${repo}/commit/${pushed.sha}` : undefined,
    limit: publication.limit ?? undefined,
    runId: run.run_id,
  });
  await leaveComment(parts, { ...given, client, number, body }).catch((error) => {
    // The work is done and can be seen: a conversation that takes no comments does not undo it.
    if (!(error instanceof RunFailure)) throw error;
    parts.log.warn({ err: error, runId: run.run_id }, 'the comment was refused');
  });
  return { kind: 'published', end };
}

/** The job's own pull request as it is now; undefined when it has none. */
async function fetchOwn(client: RepositoryClient, { pull_request_number: number }: Job) {
  return number === null ? undefined : client.fetchPullRequest(number);
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
  given: RunAtSite & { publication: Publication; change: Change; token: string; client: RepositoryClient },
): Promise<Change | null | Conflict | { kind: 'closed' }> {
  const { publication, job, run, site, token, client, signal } = given;
  const { git } = parts;
  let { change } = given;
  await remakeCommit(parts, given);
  for (;;) {
    const pushed = await pushChange(parts, { ...given, change });
    if (pushed.kind === 'pushed') return change;
    const { tip } = pushed;
    if (tip === null && (await fetchOwn(client, job))?.state === 'closed') return { kind: 'closed' };
    const { repositoryId } = site.repository;
    const branches = { base: job.base, branch: change.branch };
    await using _fetched = await parts.mirrors.fetch({
      repositoryId,
      url: site.url,
      token,
      runId: run.run_id,
      ...branches,
      signal,
    });
    // Our commit is in there, with somebody's on top: only its record is missing, which the next round makes up for.
    if (tip !== null && (await isContained({ git, mirror: site.mirror, sha: change.sha, tip, signal }))) continue;
    const made = await makeCommit(parts, { ...change, site, tip, signal });
    if (made.kind === 'conflict') return { kind: 'conflict', tip: tip ?? site.baseSha, paths: made.paths };
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
