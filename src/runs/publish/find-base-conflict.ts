import { isContained } from '../../git/commits.ts';
import type { Mirror } from '../../git/mirrors/mirrors.ts';
import { findEffect } from '../../store/tables/jobs/effects.ts';
import type { Run } from '../../store/tables/jobs/runs.ts';
import { findMergeConflicts } from '../../workspace/merges/find-merge-conflicts.ts';
import { type Plan, planMerge } from '../prepare/base-commit.ts';
import type { Conflict, FrozenChange } from '../publication.ts';
import type { CheckedOutRun } from '../run-context.ts';
import { fetchAgain, readBranchTip } from './find-pushed.ts';
import { pushKey } from './push-change.ts';

const maxRebases = 1;

export const mayReturnToAgent = ({ rebases }: Run): boolean => rebases < maxRebases;

/**
 * The target branch may have moved while the agent worked. `conflict`: the agent must merge the target. `warning`: that is impossible, or was
 * done before, so the change is published with a warning.
 */
export async function findBaseConflict(
  context: CheckedOutRun,
  token: string,
  change: FrozenChange,
): Promise<Conflict | { kind: 'warning'; warning: string } | undefined> {
  const { parts, lease, job, run, checkout } = context;
  // A commit that may be pushed already is published as it is. An effect with another commit is from before the run was sent back.
  const push = await findEffect(parts.database, { jobId: lease.jobId, key: pushKey(run) });
  if (push && 'sha' in push.request && push.request.sha === change.sha) return undefined;
  const { base, branch } = job;
  const tip = await readBranchTip(context, { token, branch: base });
  // Opening the pull request reports a deleted target branch.
  if (tip === null) return undefined;
  await using cleanup = new AsyncDisposableStack();
  const isCurrent = tip === checkout.mirror.baseSha;
  const mirror = isCurrent ? checkout.mirror : cleanup.use(await fetchAgain(context, { token, base, branch }));
  const plan = await planPublication(context, change, mirror);
  if (plan.kind === 'none') return undefined;
  const problem = `The pull request cannot be merged into ${base} as it is`;
  if (plan.kind === 'blocked') {
    const warning = `${problem}, because both branches changed ${plan.paths.join(', ')}. Pagewright cannot merge ${base} into the branch: ${plan.why}. Merge it by hand.`;
    return { kind: 'warning', warning };
  }
  const { paths } = plan;
  if (!mayReturnToAgent(run)) {
    const warning = `${problem}: ${base} keeps changing ${paths.join(', ')}. Comment here to have the conflicts resolved.`;
    return { kind: 'warning', warning };
  }
  const { baseSha } = mirror;
  if (change.tip === null) return { kind: 'conflict', tip: baseSha, mergedBaseSha: null, paths };
  return { kind: 'conflict', tip: mirror.branchSha ?? change.tip, mergedBaseSha: baseSha, paths };
}

async function planPublication(
  { parts: { git }, checkout, signals }: CheckedOutRun,
  { tip, sha }: FrozenChange,
  mirror: Mirror,
): Promise<Plan> {
  const { writeRules, pushRules, base } = checkout;
  const signal = signals.publish;
  // The commit builds on the run's base commit. Where that one contains the target's tip, so does the commit.
  const at = { git, gitDir: mirror.directory, signal };
  if ((tip === null || tip === base.sha) && (await isContained({ ...at, sha: mirror.baseSha, tip: base.sha })))
    return { kind: 'none' };
  if (tip !== null) return planMerge({ git, mirror, writeRules, signal }, { tip: sha, pushRules });
  // A branch that does not exist yet starts at the target's tip: nothing has to be merged, so no rule can block it.
  const outlook = await findMergeConflicts({ ...at, tip: sha, base: mirror.baseSha });
  return outlook.kind === 'conflict' ? { kind: 'merge', paths: outlook.paths, conflicts: [] } : { kind: 'none' };
}
