import type { Mirror } from '../../git/mirrors/mirrors.ts';
import { readTip } from '../../git/remote.ts';
import { findEffect } from '../../store/tables/effects.ts';
import { findMergeConflicts } from '../../workspace/merges/find-merge-conflicts.ts';
import { type Plan, planMerge } from '../prepare/base-commit.ts';
import type { RunAtSite } from '../prepare/open-checkout.ts';
import type { RunParts } from '../run-parts.ts';
import { maySendBack } from '../send-back.ts';
import type { Conflict } from './freeze.ts';
import type { Change } from './publication.ts';
import { pushKey } from './push-change.ts';

/**
 * Whether the change, once it is pushed, could not be merged into the base as that is now: it may have moved while the agent worked.
 * `conflict`: the agent has to go over it once more, with the base merged in. `warning`: that cannot be done, or was done before; the
 * change is published all the same, and people are told. The mirror has to have the change's commit.
 */
export async function findBaseConflict(
  parts: RunParts,
  { lease, job, run, site, change, token, signal }: RunAtSite & { change: Change; token: string },
): Promise<Conflict | { kind: 'warning'; warning: string } | undefined> {
  const { database, git, mirrors } = parts;
  // What may be pushed already is not gone over again. Another commit was meant before the run was sent back, and is not on the branch.
  const push = await findEffect(database, { jobId: lease.jobId, key: pushKey(run) });
  if (push && 'sha' in push.request && push.request.sha === change.sha) return undefined;
  const { url } = site;
  const base = await readTip({ git, url, token, branch: job.base, signal });
  // A base that is gone is told where the pull request is opened.
  if (base === null) return undefined;
  await using cleanup = new AsyncDisposableStack();
  const { repositoryId } = site.repository;
  const wanted = { repositoryId, url, token, runId: run.run_id, base: job.base, branch: job.branch, signal };
  const mirror = base === site.mirror.baseSha ? site.mirror : cleanup.use(await mirrors.fetch(wanted));
  const plan = await planOnto(parts, { site, change, mirror, signal });
  if (plan.kind === 'none') return undefined;
  const what = `The pull request cannot be merged into ${job.base} as it is`;
  if (plan.kind === 'blocked') {
    const warning = `${what}, because both changed ${plan.paths.join(', ')}. A person has to merge ${job.base} into the branch: ${plan.why}.`;
    return { kind: 'warning', warning };
  }
  const { paths } = plan;
  if (!maySendBack(run)) {
    const warning = `${what}: ${job.base} keeps changing ${paths.join(', ')}. Ask here to resolve the conflicts.`;
    return { kind: 'warning', warning };
  }
  const { baseSha } = mirror;
  if (change.tip === null) return { kind: 'conflict', tip: baseSha, mergedBaseSha: null, paths };
  return { kind: 'conflict', tip: mirror.branchSha ?? change.tip, mergedBaseSha: baseSha, paths };
}

async function planOnto(
  { git }: RunParts,
  { site, change, mirror, signal }: { site: RunAtSite['site']; change: Change; mirror: Mirror; signal: AbortSignal },
): Promise<Plan> {
  const { writeRules, verdict } = site;
  const { tip, sha } = change;
  if (tip !== null) return planMerge({ git, mirror, tip: sha, writeRules, verdict, signal });
  // A branch that is not there yet starts where the base is now: nothing has to be merged, so nothing can keep us from it.
  const outlook = await findMergeConflicts({ git, gitDir: mirror.directory, tip: sha, base: mirror.baseSha, signal });
  return outlook.kind === 'conflict' ? { kind: 'merge', paths: outlook.paths, conflicts: [] } : { kind: 'none' };
}
