import { isContained } from '../../git/commits.ts';
import { listChangedPaths } from '../../git/diffs.ts';
import type { InRepository } from '../../git/git.ts';
import { type CommitDetails, readTreeSha, writeCommit } from '../../git/write-commit.ts';
import { requireAllowedChanges } from '../../policy/require-allowed-changes.ts';
import type { WriteRules } from '../../policy/write-rules.ts';
import { areRelated, mergeTrees, stripSide } from '../../workspace/merges/find-merge-conflicts.ts';
import type { Conflict } from '../publication.ts';
import { type CheckedOutRun, inMirror } from '../run-context.ts';

export type MadeCommit =
  | { kind: 'made'; sha: string; changedFiles: number }
  /** Nothing differs from the base, or from the tip that somebody pushed. */
  | { kind: 'empty' }
  | Conflict;

interface CommitText {
  message: string;
  author: { name: string; email: string };
  date: Date;
}

/** Commits the write set over the base, merged onto `tip` where the branch has moved. The same checkout and text make the same SHA everywhere. */
export async function makeCommit(
  context: CheckedOutRun,
  { text: { message, author, date }, tip, signal }: { text: CommitText; tip: string | null; signal: AbortSignal },
): Promise<MadeCommit> {
  const { base, workspace, writeRules: rules } = context.checkout;
  const { sha: baseSha, mergedBaseSha } = base;
  const parents: [string, ...string[]] = mergedBaseSha === null ? [baseSha] : [baseSha, mergedBaseSha];
  const details = { message, author, committer: author, date, signal };
  const commit = await workspace.commit({ ...details, parents, allowEmpty: mergedBaseSha !== null });
  if (commit === null) return { kind: 'empty' };
  const { sha: ours, changedFiles } = commit;
  if (tip === null || tip === baseSha) return { kind: 'made', sha: ours, changedFiles };
  const mergedBase = mergedBaseSha ?? undefined;
  const merged = await mergeOnto({ ...inMirror(context, signal), ours, tip, mergedBase, rules, ...details });
  if (merged.kind === 'merged') return { kind: 'made', sha: merged.sha, changedFiles };
  return merged.kind === 'conflict' ? { ...merged, tip, mergedBaseSha } : merged;
}

type MergeResult = { kind: 'merged'; sha: string } | { kind: 'empty' } | { kind: 'conflict'; paths: string[] };

/** Deterministic. `empty`: the tip already contains the change. Throws `WorkspaceRefusal` with `protected_paths`. */
export async function mergeOnto(
  request: InRepository &
    CommitDetails & {
      ours: string;
      tip: string;
      /** The base, if `ours` merges it: it becomes the second parent, and its changes are not checked. */
      mergedBase?: string | undefined;
      rules?: WriteRules | undefined;
    },
): Promise<MergeResult> {
  const { git, gitDir, signal, ours, tip, mergedBase, rules, ...details } = request;
  const at = { git, gitDir, signal };
  // Without a common ancestor (the branch was replaced) no merge is possible: every changed file conflicts.
  if (!(await areRelated(at, [tip, ours])))
    return { kind: 'conflict', paths: await listChangedPaths({ ...at, from: `${ours}^`, to: ours }) };
  const { tree, stages } = await mergeTrees({ ...at, ours: tip, theirs: ours });
  if (stages.length > 0) {
    const paths = stages.map(({ path }) => stripSide(path, { tip, base: ours }));
    return { kind: 'conflict', paths: [...new Set(paths)].toSorted() };
  }
  // The new tip may already contain the base.
  const isMerge = mergedBase !== undefined && !(await isContained({ ...at, sha: mergedBase, tip }));
  if (!isMerge && tree === (await readTreeSha({ ...at, sha: tip }))) return { kind: 'empty' };
  const from = isMerge ? (await mergeTrees({ ...at, ours: tip, theirs: mergedBase })).tree : tip;
  await requireAllowedChanges({ ...at, from, to: tree, rules });
  const parents = isMerge ? [tip, mergedBase] : [tip];
  return { kind: 'merged', sha: await writeCommit({ ...at, tree, parents, details }) };
}
