import { findCommitByTrailer, isContained } from '../../git/commits.ts';
import type { Mirror } from '../../git/mirrors/mirrors.ts';
import { readTip } from '../../git/remote.ts';
import type { FrozenChange } from '../publication.ts';
import type { CheckedOutRun } from '../run-context.ts';
import { runTrailer } from './commit-message.ts';

/** null: there is no such branch. */
export const readBranchTip = (
  { parts: { git }, checkout: { url }, signals }: CheckedOutRun,
  { token, branch }: { token: string; branch: string },
): Promise<string | null> => readTip({ git, url, token, branch, signal: signals.publish });

/** Fetches for publishing what the remote has now. */
export function fetchAgain(
  { parts, run, checkout, signals }: CheckedOutRun,
  branches: { token: string; base: string; branch: string | null },
): Promise<Mirror> {
  const { url, base } = checkout;
  const { repositoryId, bytes } = checkout.repository;
  const alsoRead = [base.sha, base.mergedBaseSha];
  const { publish: signal } = signals;
  return parts.mirrors.fetch({ ...branches, repositoryId, url, runId: run.run_id, bytes, alsoRead, signal });
}

/** Fetches the default branch in place of the base, which may have been deleted. */
export const fetchBranch = (context: CheckedOutRun, fetched: { token: string; branch: string }): Promise<Mirror> =>
  fetchAgain(context, { ...fetched, base: context.checkout.repository.defaultBranch });

/** The run's commit on the branch, even below others' commits. The trailer finds a commit that GitHub signed in its place. */
export async function findPushed(
  { parts: { git }, run, checkout, signals }: CheckedOutRun,
  { change, mirror, tip }: { change: FrozenChange; mirror: Mirror; tip: string },
): Promise<string | undefined> {
  const at = { git, gitDir: mirror.directory, signal: signals.publish };
  if (await isContained({ ...at, sha: change.sha, tip })) return change.sha;
  const from = change.tip ?? checkout.base.sha;
  return (await findCommitByTrailer({ ...at, from, tip, trailer: runTrailer(run.run_id) })) ?? undefined;
}
