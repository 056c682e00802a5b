import { mkdtemp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { isPlain } from '../../git/diffs.ts';
import type { InRepository } from '../../git/git.ts';
import { checkPath } from '../../git/paths.ts';
import { maxListingBytes, splitAtNul } from '../../git/tree.ts';
import { type TreeEntry, writeBlob, writeCommit, writeEntries } from '../../git/write-commit.ts';
import { decodeText } from '../decode-text.ts';
import { type CheckWrite, createWriteCheck, type WriteRules } from '../policy/write-rules.ts';
import {
  type ConflictSides,
  describeConflict,
  describeMarkers,
  type MergeConflict,
  renameMarkers,
  sideNames,
  stripSide,
} from './conflicts.ts';
import { type MergedTrees, mergeTrees } from './merge-trees.ts';

const nobody = { name: 'pagewright', email: 'pagewright@localhost' };
/** All of it fixed: whoever merges the same two commits makes the same third. */
const details = { message: 'Merge the base', author: nobody, committer: nobody, date: new Date(0) };

/**
 * Merges the base into the branch for a workspace to be opened on: a commit with the parents `tip` and `base` that is not for publishing,
 * because its files hold conflict markers where the two changed the same lines (`<<<<<<< branch`, `>>>>>>> base`). Elsewhere it
 * holds one version, and the conflict's note says which. Deterministic. The two have a common ancestor: see `findMergeConflicts`.
 */
export async function mergeBaseIn({
  git,
  gitDir,
  tip,
  base,
  rules,
  signal,
}: InRepository & {
  tip: string;
  base: string;
  /** Those of the workspace, so that it is known which conflicts the agent may solve. */
  rules?: WriteRules | undefined;
}): Promise<{ sha: string; conflicts: MergeConflict[] }> {
  const merged = await mergeTrees({ git, gitDir, ours: tip, theirs: base, signal });
  const commit = (tree: string) => writeCommit({ git, gitDir, tree, parents: [tip, base], details, signal });
  if (merged.stages.length === 0) {
    return { sha: await commit(merged.tree), conflicts: [] };
  }
  const judge = createWriteCheck(rules);
  const { conflicts, entries } = await makeReadable({ git, gitDir, merged, tip, base, judge, signal });
  const scratch = await mkdtemp(join(gitDir, 'pagewright-merge-'));
  await using cleanup = new AsyncDisposableStack();
  cleanup.defer(() => rm(scratch, { recursive: true, force: true }));
  const indexFile = join(scratch, 'index');
  const tree = await writeEntries({ git, gitDir, sha: merged.tree, entries, indexFile, signal });
  return { sha: await commit(tree), conflicts };
}

/** As much as a workspace lets the agent read: what is longer cannot be solved by it. */
const maxMarkedBytes = 2 * 1024 ** 2;

interface Merge extends InRepository {
  merged: MergedTrees;
  tip: string;
  base: string;
  judge: CheckWrite;
}

/**
 * Makes of the tree that git merged one that a person can read: no SHA in markers or names, and no markers in a file that is not text or too
 * long to be edited, which gets the branch's version instead. Returns what has to change in the tree, and every conflict in path order.
 */
export async function makeReadable(merge: Merge): Promise<{ conflicts: MergeConflict[]; entries: TreeEntry[] }> {
  const { tip, base, judge } = merge;
  const tree = await readEntries(merge);
  const conflicts: MergeConflict[] = [];
  const entries: TreeEntry[] = [];
  for (const [path, stages] of Map.groupBy(merge.merged.stages, (stage) => stage.path)) {
    const side = (wanted: number) => stages.find(({ stage }) => stage === wanted);
    const sides = { path, ancestor: side(1), ours: side(2), theirs: side(3), held: tree.get(path) };
    const settled = await settleHeld(merge, sides);
    const plainPath = stripSide(path, { tip, base });
    const newPath = chooseName(path, { tip, base, tree });
    if (settled.held && (newPath !== path || settled.held.sha !== sides.held?.sha)) {
      entries.push({ ...settled.held, path: newPath });
    }
    if (settled.held && newPath !== path) {
      entries.push({ path, mode: '0', sha: '' });
    }
    conflicts.push({
      path: newPath,
      kind: settled.kind,
      isProtected: !mayBeWritten(plainPath, settled.held, judge),
      note:
        settled.kind === 'content'
          ? describeMarkers(newPath)
          : describeConflict({ ...sides, held: settled.held, path: newPath }),
    });
  }
  return { conflicts: conflicts.toSorted((a, b) => (a.path < b.path ? -1 : 1)), entries };
}

type Held = ConflictSides['held'];

/** What the tree is to hold, and whether that has conflict markers in it. */
async function settleHeld(
  { git, gitDir, tip, base, signal }: Merge,
  { ours, theirs, held }: ConflictSides,
): Promise<{ kind: 'content' | 'other'; held: Held }> {
  const isMerged = held !== undefined && isPlain(held.mode) && held.sha !== ours?.sha && held.sha !== theirs?.sha;
  if (!isMerged) {
    return { kind: 'other', held };
  }
  const blob = await git(['cat-file', 'blob', held.sha], {
    signal,
    gitDir,
    maxOutputBytes: maxMarkedBytes,
    onLongOutput: 'truncate',
  });
  const text = blob.truncated ? undefined : decodeText(blob.stdout);
  if (text === undefined) {
    return { kind: 'other', held: ours ?? theirs ?? held };
  }
  const marked = renameMarkers(text, { tip, base });
  if (marked === undefined) {
    return { kind: 'other', held };
  }
  const sha = await writeBlob({ git, gitDir, bytes: Buffer.from(marked), signal });
  return { kind: 'content', held: { mode: held.mode, sha } };
}

/** A file that is in the way is called after its side, not after a commit, unless that name is taken. */
function chooseName(
  path: string,
  { tip, base, tree }: { tip: string; base: string; tree: ReadonlyMap<string, unknown> },
): string {
  const plainPath = stripSide(path, { tip, base });
  const name = `${plainPath}~${path.endsWith(tip) ? sideNames.tip : sideNames.base}`;
  return plainPath === path || tree.has(name) ? path : name;
}

function mayBeWritten(path: string, held: Held, judge: CheckWrite): boolean {
  const judged = checkPath(path);
  const isFile = held === undefined || isPlain(held.mode);
  return isFile && judged.kind === 'path' && judged.path === path && judge(path, 0) === undefined;
}

/** The merged tree's entries at the paths that are in conflict. */
async function readEntries({
  git,
  gitDir,
  merged,
  signal,
}: Merge): Promise<Map<string, { mode: string; sha: string }>> {
  const { stdout } = await git(['ls-tree', '-r', '-z', '--full-tree', merged.tree], {
    signal,
    gitDir,
    maxOutputBytes: maxListingBytes,
  });
  const entries = new Map<string, { mode: string; sha: string }>();
  for (const line of splitAtNul(stdout)) {
    const [, mode, sha, path] = /^(\d+) \w+ ([0-9a-f]+)\t(.*)$/s.exec(line.toString()) ?? [];
    if (mode !== undefined && sha !== undefined && path !== undefined) {
      entries.set(path, { mode, sha });
    }
  }
  return entries;
}
