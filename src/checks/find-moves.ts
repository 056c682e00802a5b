import { isRead } from './is-read.ts';
import type { FileTree } from './tree.ts';

/** As git's own default: https://git-scm.com/docs/git-diff#Documentation/git-diff.txt--Mn */
const leastSimilarity = 0.5;
/** More pairs are compared as wholes only. */
const maxPairs = 2_500;

/** Files of the head that the base has under another path, by the new path: the same text, or half of its lines. */
export function findMoves(base: FileTree, head: FileTree): Map<string, string> {
  const gone = list(
    [...base.paths].filter((path) => !head.paths.has(path) && isRead(path)),
    base,
  );
  const added = list(
    [...head.paths].filter((path) => !base.paths.has(path) && isRead(path)),
    head,
  );
  const same = new Map([...gone].map(([path, text]) => [text, path]));
  const moves = new Map<string, string>();
  for (const [path, text] of added) {
    const from = same.get(text);
    if (from === undefined || !gone.delete(from)) continue;
    moves.set(path, from);
    added.delete(path);
  }
  if (gone.size * added.size > maxPairs) return moves;
  const pairs = [...added].flatMap(([path, text]) =>
    [...gone].map(([from, before]) => ({ path, from, similarity: measureSimilarity(before, text) })),
  );
  for (const { path, from, similarity } of pairs.toSorted((a, b) => b.similarity - a.similarity)) {
    if (similarity < leastSimilarity || !added.delete(path)) continue;
    if (gone.delete(from)) moves.set(path, from);
    else added.set(path, '');
  }
  return moves;
}

const list = (paths: readonly string[], tree: FileTree) =>
  new Map(paths.flatMap((path) => [[path, tree.read(path) ?? ''] as const]).filter(([, text]) => text.trim() !== ''));

/** The share of the longer text's characters that stand in lines of both. */
function measureSimilarity(a: string, b: string): number {
  const longest = Math.max(a.length, b.length);
  if (Math.min(a.length, b.length) < longest * leastSimilarity) return 0;
  const lines = new Map<string, number>();
  for (const line of a.split('\n')) lines.set(line, (lines.get(line) ?? 0) + 1);
  let shared = 0;
  for (const line of b.split('\n')) {
    const left = lines.get(line) ?? 0;
    if (left > 0) shared += line.length + 1;
    lines.set(line, left - 1);
  }
  return shared / longest;
}
