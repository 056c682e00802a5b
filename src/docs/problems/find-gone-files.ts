import type { GoneFile } from '../describe-problems.ts';
import type { Documentation } from '../documentation.ts';
import type { FoundProblem } from '../problem.ts';
import { findPart } from '../sites/find-part.ts';
import { resolveLink } from '../sites/resolve-link.ts';

/** Files of the base that these problems led to, and that the head no longer has at that path. */
export function findGoneFiles(problems: readonly FoundProblem[], { base, head, moves }: Documentation): GoneFile[] {
  const places = new Map([...moves].map(([now, was]) => [was, now]));
  const targets = new Map<string, Set<string>>();
  for (const { file, written, target } of problems) {
    if (written === undefined) continue;
    const was = moves.get(file) ?? file;
    const path = findInBase(base, was, written);
    if (path === undefined || !base.tree.paths.has(path) || head.tree.paths.has(path)) continue;
    targets.set(path, (targets.get(path) ?? new Set()).add(target));
  }
  return [...targets].map(([path, of]) => ({ path, movedTo: places.get(path), targets: [...of] }));
}

function findInBase({ tree, sites }: Documentation['base'], file: string, written: string): string | undefined {
  const site = sites.find(({ pages }) => pages.has(file));
  if (site === undefined) {
    const entries = sites.flatMap(({ navigation }) => navigation);
    return entries.find((entry) => entry.file === file && entry.target === written)?.page;
  }
  const found = resolveLink({ tree, site, from: file, target: written });
  return found.kind === 'page' || found.kind === 'file' ? found.path : findPart(tree, site, file, written);
}
