import { findCommitByTrailer, isContained } from '../../git/commits.ts';
import type { Mirror } from '../../git/mirrors/mirrors.ts';
import type { RepositoryClient } from '../../github/calls/repository-client.ts';
import type { RunAtSite } from '../prepare/open-checkout.ts';
import type { RunParts } from '../run-parts.ts';
import type { Change } from './publication.ts';
import { runTrailer } from './pull-request-text.ts';

/** A change to be pushed, and what opens the repository for it. */
export interface PushGiven extends RunAtSite {
  change: Change;
  token: string;
  client: RepositoryClient;
}

/** Has what the job's branch has now fetched. The base may be gone by now, and is not needed. */
export function fetchBranch(
  { mirrors }: RunParts,
  { run, site, change, token, signal }: RunAtSite & { change: Change; token: string },
): Promise<Mirror> {
  const { repositoryId, defaultBranch: base } = site.repository;
  const { branch } = change;
  return mirrors.fetch({ repositoryId, url: site.url, token, runId: run.run_id, base, branch, signal });
}

/**
 * The run's commit, where the branch has it: the frozen one, or the one that GitHub made of it and that only its trailer tells. Also
 * when somebody has pushed on top of it. `mirror` has the tip.
 */
export async function findPushed(
  { git }: RunParts,
  {
    run,
    site,
    change,
    mirror,
    tip,
    signal,
  }: Pick<RunAtSite, 'run' | 'site' | 'signal'> & { change: Change; mirror: Mirror; tip: string },
): Promise<string | undefined> {
  const inMirror = { git, gitDir: mirror.directory, signal };
  if (await isContained({ ...inMirror, sha: change.sha, tip })) return change.sha;
  const from = change.tip ?? site.ground.sha;
  const trailer = runTrailer(run.run_id);
  return (await findCommitByTrailer({ ...inMirror, from, tip, trailer })) ?? undefined;
}
