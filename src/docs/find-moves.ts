import { isRead } from './page-extensions.ts';
import { type FileTree, nameOf } from './tree.ts';

/** As git's own default: https://git-scm.com/docs/git-diff#Documentation/git-diff.txt--Mn */
const leastSimilarity = 0.5;
/** A line that more files share does not tell where a text comes from. */
const maxSharers = 20;
/** How many files are compared with a new one: those that share most of their lines with it. */
const maxCandidates = 4;

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
  const moves = findSame(gone, added);
  const candidatesOf = createCandidates(gone);
  const pairs = [...added].flatMap(([path, text]) =>
    candidatesOf(text).map((from) => ({ path, from, similarity: measureSimilarity(gone.get(from) ?? '', text) })),
  );
  for (const { path, from, similarity } of pairs.toSorted((a, b) => b.similarity - a.similarity)) {
    if (similarity < leastSimilarity || !added.has(path) || !gone.delete(from)) continue;
    added.delete(path);
    moves.set(path, from);
  }
  return moves;
}

const list = (paths: readonly string[], tree: FileTree) =>
  new Map(paths.flatMap((path) => [[path, tree.read(path) ?? ''] as const]).filter(([, text]) => text.trim() !== ''));

/** Takes the files out of both lists. Of several with the same text, those with the same name belong together. */
function findSame(gone: Map<string, string>, added: Map<string, string>): Map<string, string> {
  const byText = Map.groupBy(gone.keys(), (path) => gone.get(path));
  const moves = new Map<string, string>();
  for (const [path, text] of added) {
    const left = byText.get(text)?.filter((from) => gone.has(from)) ?? [];
    const from = left.find((each) => nameOf(each) === nameOf(path)) ?? left[0];
    if (from === undefined) continue;
    gone.delete(from);
    added.delete(path);
    moves.set(path, from);
  }
  return moves;
}

/** Finds the texts that share most with another one, without comparing each with each. */
function createCandidates(texts: ReadonlyMap<string, string>): (text: string) => string[] {
  const sharers = new Map<string, string[]>();
  for (const [path, text] of texts) {
    for (const line of new Set(splitLines(text))) {
      const known = sharers.get(line);
      if (known === undefined) sharers.set(line, [path]);
      else if (known.length <= maxSharers) known.push(path);
    }
  }
  return (text) => {
    const shared = new Map<string, number>();
    for (const line of splitLines(text)) {
      const paths = sharers.get(line) ?? [];
      if (paths.length <= maxSharers) for (const path of paths) shared.set(path, (shared.get(path) ?? 0) + line.length);
    }
    const most = [...shared].toSorted(([, a], [, b]) => b - a);
    return most.slice(0, maxCandidates).map(([path]) => path);
  };
}

/** Without `./` and `../`: a file that moves gets other relative links. */
const splitLines = (text: string) => text.replace(/\.{1,2}\//g, '').split('\n');

/** The share of the longer text's characters that are in lines of both. */
function measureSimilarity(a: string, b: string): number {
  const [before, after] = [splitLines(a), splitLines(b)];
  const [lengthBefore, lengthAfter] = [before, after].map((lines) => lines.reduce((sum, line) => sum + line.length, 0));
  const lines = new Map<string, number>();
  for (const line of before) lines.set(line, (lines.get(line) ?? 0) + 1);
  let shared = 0;
  for (const line of after) {
    const left = lines.get(line) ?? 0;
    if (left > 0) shared += line.length;
    lines.set(line, left - 1);
  }
  return shared / Math.max(1, lengthBefore ?? 0, lengthAfter ?? 0);
}

/** A page that shares less was written after the other's example. */
const leastCopySimilarity = 0.8;
/** Most folders have a README: only those at similar places are compared. */
const maxOriginals = 8;

/** The file of the base that a new one is a copy of: it has the same name, as in a new version's folder. */
export function findCopied(base: FileTree, head: FileTree, path: string): string | undefined {
  const text = head.read(path);
  if (text === undefined || text.trim() === '') return undefined;
  const candidates = base.named([nameOf(path)]).map((from) => ({ from, shared: countShared(from, path) }));
  return candidates
    .toSorted((a, b) => b.shared - a.shared)
    .slice(0, maxOriginals)
    .find(({ from }) => measureSimilarity(base.read(from) ?? '', text) >= leastCopySimilarity)?.from;
}

/** Names at the end that both paths have. */
function countShared(a: string, b: string): number {
  const [names, others] = [a.split('/').reverse(), b.split('/').reverse()];
  const differs = names.findIndex((name, index) => name !== others[index]);
  return differs < 0 ? names.length : differs;
}
