import { mergeOnto } from '../../workspace/merges/merge-onto.ts';
import type { Conflict } from '../publication.ts';
import { type CheckedOutRun, inMirror } from '../run-context.ts';

export type MadeCommit =
  | { kind: 'made'; sha: string; changedFiles: number }
  /** Nothing differs from the base, or from the tip that somebody pushed. */
  | { kind: 'empty' }
  | Conflict;

export interface CommitText {
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
