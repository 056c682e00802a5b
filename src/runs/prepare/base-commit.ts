import { hasCommit } from '../../git/commits.ts';
import type { Git } from '../../git/git.ts';
import type { Mirror } from '../../git/mirrors/mirrors.ts';
import type { Job } from '../../store/tables/jobs.ts';
import type { Run } from '../../store/tables/runs.ts';
import type { ColumnChange } from '../../store/tables/schema.ts';
import type { MergeConflict } from '../../workspace/merges/conflicts.ts';
import { carriesWorkflows, findMergeConflicts } from '../../workspace/merges/find-merge-conflicts.ts';
import { mergeBaseIn } from '../../workspace/merges/merge-base-in.ts';
import type { WriteRules } from '../../workspace/policy/write-rules.ts';
import { WorkspaceRefusal } from '../../workspace/workspace-refusal.ts';
import { writeMergeNotice, writeNoMergeNotice } from '../work/prompt.ts';
import type { PushRules } from './evaluate-rules.ts';

/** What a run's changes lie on. */
export interface Base {
  /** The commit that is followed: the branch's tip when the run began, or the base where there was no branch. */
  sha: string;
  /** The commit of the base that the run merges in, because the two do not fit together; null: none. */
  mergedBaseSha: string | null;
  /** What the workspace is opened on: that commit, or the two merged, with markers where they do not fit. */
  filesSha: string;
  conflicts: MergeConflict[];
}

interface Given {
  git: Git;
  run: Pick<Run, 'run_id' | 'base_sha' | 'merged_base_sha'>;
  mirror: Mirror;
  writeRules: WriteRules;
  signal: AbortSignal;
}

/**
 * Finds what a run that begins lies on. Where its pull request cannot be merged because the base has moved, the base is merged into the
 * branch, and what does not fit is the agent's to solve; where that cannot be done, the agent is told why, so that it can say so.
 */
export async function findBase({
  job: { base },
  verdict,
  ...given
}: Given & { job: Pick<Job, 'base'>; verdict: PushRules }): Promise<
  { isNew: false } | { isNew: true; change: ColumnChange<'runs'> }
> {
  const { run, mirror } = given;
  if (run.base_sha !== null) return { isNew: false };
  const { branchSha, baseSha } = mirror;
  if (branchSha === null) return { isNew: true, change: { base_sha: baseSha } };
  const plan = await planMerge({ ...given, tip: branchSha, verdict });
  if (plan.kind === 'none') return { isNew: true, change: { base_sha: branchSha } };
  const change =
    plan.kind === 'merge'
      ? { merged_base_sha: baseSha, notice: writeMergeNotice({ base, conflicts: plan.conflicts }) }
      : { notice: writeNoMergeNotice({ base, paths: plan.paths, why: plan.why }) };
  return { isNew: true, change: { base_sha: branchSha, ...change } };
}

/** The ground of a run as it was found, the same in every attempt. Throws `WorkspaceRefusal` `base_rewritten` when the base does not have it any more. */
export async function prepareBase({ git, run, mirror, writeRules: rules, signal }: Given): Promise<Base> {
  const { base_sha: sha, merged_base_sha: mergedBaseSha } = run;
  if (sha === null) throw new Error(`${run.run_id} has no ground`);
  if (mergedBaseSha === null) return { sha, mergedBaseSha, filesSha: sha, conflicts: [] };
  const inMirror = { git, gitDir: mirror.directory, signal };
  for (const commit of [sha, mergedBaseSha]) {
    if (!(await hasCommit({ ...inMirror, sha: commit }))) throw new WorkspaceRefusal({ reason: 'base_rewritten' });
  }
  const merged = await mergeBaseIn({ ...inMirror, tip: sha, base: mergedBaseSha, rules });
  return { sha, mergedBaseSha, filesSha: merged.sha, conflicts: merged.conflicts };
}

export type Plan =
  | { kind: 'none' }
  | { kind: 'merge'; paths: string[]; conflicts: MergeConflict[] }
  | { kind: 'blocked'; paths: string[]; why: string };

/** Whether the base has to be merged into the branch, and whether we can. */
export async function planMerge({
  git,
  mirror,
  tip,
  writeRules: rules,
  verdict,
  signal,
}: Omit<Given, 'run'> & { tip: string; verdict: PushRules }): Promise<Plan> {
  const two = { git, gitDir: mirror.directory, tip, base: mirror.baseSha, signal };
  const outlook = await findMergeConflicts(two);
  if (outlook.kind !== 'conflict') return { kind: 'none' };
  const { paths } = outlook;
  if (verdict.isSigned)
    return { kind: 'blocked', paths, why: 'the repository wants signed commits, and GitHub signs no merge for an App' };
  if (verdict.isLinear)
    return { kind: 'blocked', paths, why: 'a rule of the repository allows no merge commits on this branch' };
  if (await carriesWorkflows(two)) {
    return {
      kind: 'blocked',
      paths,
      why: 'the base changed workflows, which an App without that permission may not push',
    };
  }
  const { conflicts } = await mergeBaseIn({ ...two, rules });
  const forbidden = conflicts.filter(({ isProtected }) => isProtected).map(({ path }) => path);
  if (forbidden.length > 0) return { kind: 'blocked', paths, why: `only a person may change ${forbidden.join(', ')}` };
  return { kind: 'merge', paths, conflicts };
}
