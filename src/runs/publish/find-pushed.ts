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

/** Fetches the default branch in place of the base, which may have been deleted. */
export function fetchBranch(
  { parts, run, checkout, signals }: CheckedOutRun,
  { token, branch }: { token: string; branch: string },
): Promise<Mirror> {
  const { url, repository } = checkout;
  const { repositoryId, defaultBranch: base, bytes } = repository;
  const { publish: signal } = signals;
  const alsoRead = [checkout.base.sha, checkout.base.mergedBaseSha];
  return parts.mirrors.fetch({ repositoryId, url, token, runId: run.run_id, base, branch, bytes, alsoRead, signal });
}

/** The run's commit on the branch, even below others' commits. The trailer finds a commit that GitHub signed in its place. */
export async function findPushed(
  { parts: { git }, run, checkout, signals }: CheckedOutRun,
  { change, mirror, tip }: { change: FrozenChange; mirror: Mirror; tip: string },
): Promise<string | undefined> {
  const inMirror = { git, gitDir: mirror.directory, signal: signals.publish };
  if (await isContained({ ...inMirror, sha: change.sha, tip })) return change.sha;
  const from = change.tip ?? checkout.base.sha;
  const trailer = runTrailer(run.run_id);
  return (await findCommitByTrailer({ ...inMirror, from, tip, trailer })) ?? undefined;
}
