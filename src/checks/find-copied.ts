import { measureSimilarity } from './find-moves.ts';
import { type FileTree, nameOf } from './tree.ts';

/** A page that shares less was written after the other's example. */
const leastSimilarity = 0.8;
/** Most folders have a README: only those at similar places are compared. */
const maxCandidates = 8;

/** The file of the base that a new one is a copy of: it has the same name, as in a new version's folder. */
export function findCopied(base: FileTree, head: FileTree, path: string): string | undefined {
  const text = head.read(path);
  if (text === undefined || text.trim() === '') return undefined;
  const candidates = base.named([nameOf(path)]).map((from) => ({ from, shared: countShared(from, path) }));
  return candidates
    .toSorted((a, b) => b.shared - a.shared)
    .slice(0, maxCandidates)
    .find(({ from }) => measureSimilarity(base.read(from) ?? '', text) >= leastSimilarity)?.from;
}

/** Names at the end that both paths have. */
function countShared(a: string, b: string): number {
  const [names, others] = [a.split('/').reverse(), b.split('/').reverse()];
  const differs = names.findIndex((name, index) => name !== others[index]);
  return differs < 0 ? names.length : differs;
}
