import { mkdtemp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { checkPath } from '../../git/check-path.ts';
import { isPlain } from '../../git/diffs.ts';
import type { InRepository } from '../../git/git.ts';
import { maxListingBytes, parseEntry, splitAtNul } from '../../git/listing.ts';
import { readObject } from '../../git/read-blobs.ts';
import { runGit } from '../../git/run-git.ts';
import { type TreeEntry, writeBlob, writeCommit, writeEntries } from '../../git/write-commit.ts';
import { readBaseFiles } from '../../policy/base-files.ts';
import { createPolicy, type Policy } from '../../policy/policy.ts';
import type { WriteRules } from '../../policy/write-rules.ts';
import { decodeText } from '../decode-text.ts';
import {
  type ConflictSides,
  describeConflict,
  describeMarkers,
  type MergeConflict,
  renameMarkers,
} from './conflicts.ts';
import { type MergedTrees, mergeTrees, sideNames, stripSide } from './find-merge-conflicts.ts';

const author = { name: 'pagewright', email: 'pagewright@localhost' };
/** Constant, so that the same two commits always give the same merge commit. */
const details = { message: 'Merge the base', author, committer: author, date: new Date(0) };

/** A deterministic commit for a workspace, never published: its files have conflict markers. Requires a common ancestor. */
export async function mergeBaseIn(
  options: InRepository & {
    tip: string;
    base: string;
    /** The rules of the workspace decide which conflicts the agent may resolve. */
    rules?: WriteRules | undefined;
  },
): Promise<{ sha: string; conflicts: MergeConflict[] }> {
  const { tip, base, rules, ...at } = options;
  const merged = await mergeTrees({ ...at, ours: tip, theirs: base });
  const commit = (tree: string) => writeCommit({ ...at, tree, parents: [tip, base], details });
  if (merged.stages.length === 0) return { sha: await commit(merged.tree), conflicts: [] };
  const policy = await createPolicy({ base: await readBaseFiles({ ...at, sha: tip }), rules });
  const { conflicts, entries } = await presentConflicts({ ...at, merged, tip, base, policy });
  const scratch = await mkdtemp(join(at.gitDir, 'pagewright-merge-'));
  await using cleanup = new AsyncDisposableStack();
  cleanup.defer(() => rm(scratch, { recursive: true, force: true }));
  const indexFile = join(scratch, 'index');
  const tree = await writeEntries({ ...at, sha: merged.tree, entries, indexFile });
  return { sha: await commit(tree), conflicts };
}

/** The agent cannot read larger files, and so cannot resolve them. */
const maxMarkedBytes = 2 * 1024 ** 2;

interface Merge extends InRepository {
  merged: MergedTrees;
  tip: string;
  base: string;
  policy: Policy;
}

/** Replaces SHAs in markers and names, and a conflicting file that is binary or too large by the branch's version. */
async function presentConflicts(merge: Merge): Promise<{ conflicts: MergeConflict[]; entries: TreeEntry[] }> {
  const { tip, base } = merge;
  const tree = await readEntries(merge);
  const conflicts: MergeConflict[] = [];
  const entries: TreeEntry[] = [];
  for (const [path, stages] of Map.groupBy(merge.merged.stages, (stage) => stage.path)) {
    const side = (number: number) => stages.find(({ stage }) => stage === number);
    const sides = { path, ancestor: side(1), ours: side(2), theirs: side(3), merged: tree.get(path) };
    const file = await presentFile(merge, sides);
    const plainPath = stripSide(path, { tip, base });
    const newPath = chooseName(path, { tip, base, tree });
    if (file.entry && (newPath !== path || file.entry.sha !== sides.merged?.sha))
      entries.push({ ...file.entry, path: newPath });
    if (file.entry && newPath !== path) entries.push({ path, mode: '0', sha: '' });
    conflicts.push({
      path: newPath,
      kind: file.kind,
      isProtected: !mayBeWritten(plainPath, file.entry, merge.policy),
      note:
        file.kind === 'content'
          ? describeMarkers(newPath)
          : describeConflict({ ...sides, merged: file.entry, path: newPath }),
    });
  }
  return { conflicts: conflicts.toSorted((a, b) => (a.path < b.path ? -1 : 1)), entries };
}

type Entry = ConflictSides['merged'];

async function presentFile(
  { tip, base, ...at }: Merge,
  { ours, theirs, merged }: ConflictSides,
): Promise<{ kind: 'content' | 'other'; entry: Entry }> {
  const isMerged =
    merged !== undefined && isPlain(merged.mode) && merged.sha !== ours?.sha && merged.sha !== theirs?.sha;
  if (!isMerged) return { kind: 'other', entry: merged };
  const blob = await readObject(at, merged.sha, maxMarkedBytes);
  const text = blob.truncated ? undefined : decodeText(blob.stdout);
  if (text === undefined) return { kind: 'other', entry: ours ?? theirs ?? merged };
  const marked = renameMarkers(text, { tip, base });
  if (marked === undefined) return { kind: 'other', entry: merged };
  const sha = await writeBlob({ ...at, bytes: Buffer.from(marked) });
  return { kind: 'content', entry: { mode: merged.mode, sha } };
}

/** A file renamed because of a conflict is named after its side instead of a commit, unless that name is taken. */
function chooseName(
  path: string,
  { tip, base, tree }: { tip: string; base: string; tree: ReadonlyMap<string, unknown> },
): string {
  const plainPath = stripSide(path, { tip, base });
  const name = `${plainPath}~${path.endsWith(tip) ? sideNames.tip : sideNames.base}`;
  return plainPath === path || tree.has(name) ? path : name;
}

function mayBeWritten(path: string, entry: Entry, policy: Policy): boolean {
  const checked = checkPath(path);
  const isFile = entry === undefined || isPlain(entry.mode);
  return isFile && checked.kind === 'path' && checked.path === path && !policy.isProtected(path);
}

async function readEntries({ merged, ...at }: Merge): Promise<Map<string, { mode: string; sha: string }>> {
  const limits = { maxOutputBytes: maxListingBytes };
  const { stdout } = await runGit(at, ['ls-tree', '-r', '-z', '--full-tree', merged.tree], limits);
  return new Map(
    splitAtNul(stdout)
      .map(parseEntry)
      .map(({ mode, sha, path }) => [path, { mode, sha }]),
  );
}
