import { hasCommit } from '../../git/commits.ts';
import type { Git } from '../../git/git.ts';
import type { Mirror } from '../../git/mirrors/mirrors.ts';
import type { WriteRules } from '../../policy/write-rules.ts';
import { inLease } from '../../store/schedule/lease.ts';
import { addRunWarning, updateRun } from '../../store/tables/jobs/runs.ts';
import type { ColumnChange } from '../../store/tables/schema.ts';
import type { MergeConflict } from '../../workspace/merges/conflicts.ts';
import { carriesWorkflows, findMergeConflicts } from '../../workspace/merges/find-merge-conflicts.ts';
import { mergeBaseIn } from '../../workspace/merges/merge-base-in.ts';
import { WorkspaceRefusal } from '../../workspace/workspace-refusal.ts';
import type { Base, PushRules } from '../checkout.ts';
import { writeMergeNotice, writeNoMergeNotice } from '../notices.ts';
import type { RunContext } from '../run-context.ts';

/** `base_sha` null: the run has not begun. */
interface StoredBase {
  run_id: string;
  base_sha: string | null;
  merged_base_sha: string | null;
}

interface InMirror {
  git: Git;
  mirror: Mirror;
  writeRules: WriteRules;
  signal: AbortSignal;
}

/** The base of the run: chosen and stored when it begins, and the same after a takeover. Also stores mistakes in the settings as warnings. */
export async function openBase(
  context: RunContext,
  options: { mirror: Mirror; writeRules: WriteRules; pushRules: PushRules; problems: string[] },
): Promise<Base> {
  const { mirror, writeRules, pushRules, problems } = options;
  const { parts, lease, job, signals } = context;
  const inMirror = { git: parts.git, mirror, writeRules, signal: signals.work };
  const found = await findBase(inMirror, { run: context.run, target: job.base, pushRules });
  if (found) {
    const { run } = context;
    context.run = await inLease(parts.database, lease, async (tx) => {
      // `run` may lack a warning that was stored meanwhile.
      for (const problem of problems) await addRunWarning(tx, run.run_id, problem);
      return updateRun(tx, run.run_id, found);
    });
  }
  return prepareBase(inMirror, context.run);
}

/** Undefined: the run has begun. If the pull request conflicts with its target branch, the run merges the target, or a notice tells the agent why it cannot. */
export async function findBase(
  inMirror: InMirror,
  { run, target, pushRules }: { run: StoredBase; target: string; pushRules: PushRules },
): Promise<ColumnChange<'runs'> | undefined> {
  if (run.base_sha !== null) return undefined;
  const { branchSha, baseSha } = inMirror.mirror;
  if (branchSha === null) return { base_sha: baseSha };
  const plan = await planMerge(inMirror, { tip: branchSha, pushRules });
  if (plan.kind === 'none') return { base_sha: branchSha };
  if (plan.kind === 'blocked')
    return { base_sha: branchSha, notice: writeNoMergeNotice({ base: target, paths: plan.paths, why: plan.why }) };
  const notice = writeMergeNotice({ base: target, conflicts: plan.conflicts });
  return { base_sha: branchSha, merged_base_sha: baseSha, notice };
}

/** Deterministic. Throws `WorkspaceRefusal` `base_rewritten` when a force-push removed a commit. */
export async function prepareBase(
  { git, mirror, writeRules: rules, signal }: InMirror,
  { run_id: runId, base_sha: sha, merged_base_sha: mergedBaseSha }: StoredBase,
): Promise<Base> {
  if (sha === null) throw new Error(`${runId} has no base`);
  if (mergedBaseSha === null) return { sha, mergedBaseSha, filesSha: sha, conflicts: [] };
  const gitDir = mirror.directory;
  for (const commit of [sha, mergedBaseSha]) {
    if (!(await hasCommit({ git, gitDir, sha: commit, signal })))
      throw new WorkspaceRefusal({ reason: 'base_rewritten' });
  }
  const merged = await mergeBaseIn({ git, gitDir, tip: sha, base: mergedBaseSha, rules, signal });
  return { sha, mergedBaseSha, filesSha: merged.sha, conflicts: merged.conflicts };
}

export type Plan =
  | { kind: 'none' }
  | { kind: 'merge'; paths: string[]; conflicts: MergeConflict[] }
  | { kind: 'blocked'; paths: string[]; why: string };

export async function planMerge(
  { git, mirror, writeRules: rules, signal }: InMirror,
  { tip, pushRules }: { tip: string; pushRules: PushRules },
): Promise<Plan> {
  const two = { git, gitDir: mirror.directory, tip, base: mirror.baseSha, signal };
  const outlook = await findMergeConflicts(two);
  if (outlook.kind !== 'conflict') return { kind: 'none' };
  const { paths } = outlook;
  if (pushRules.isSigned)
    return {
      kind: 'blocked',
      paths,
      why: 'the repository requires signed commits, and GitHub does not sign merges of an App',
    };
  if (pushRules.isLinear)
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
