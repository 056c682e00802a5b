import { createDocumentation, type Documentation } from './documentation.ts';
import type { Problem } from './problem.ts';
import type { FileTree } from './tree.ts';

export interface Checked {
  /** Only what the change brought, also in files that it did not touch. */
  problems: Problem[];
  sites: { framework: string; root: string; pages: number }[];
  checkedLinks: number;
}

/** Compares two trees of a documentation repository. Reads all of both: no file is run, and none is written. Pure. */
export const checkChange = (trees: { base: FileTree; head: FileTree }): Checked =>
  checkDocumentation(createDocumentation(trees).with(new Map()));

/** A question: what the head has, and the base has not. */
export function checkDocumentation({ base, head, moves }: Documentation): Checked {
  return {
    problems: subtract(head.found.problems, base.found.problems, moves),
    sites: head.sites
      .filter(({ pages }) => pages.size > 0)
      .map(({ framework, root, pages }) => ({ framework, root, pages: pages.size })),
    checkedLinks: head.found.checkedLinks,
  };
}

/** As multisets: a file that had one broken link to a page and now has two has one more. */
function subtract(
  after: readonly Problem[],
  before: readonly Problem[],
  moves: ReadonlyMap<string, string>,
): Problem[] {
  const known = new Map<string, number>();
  for (const problem of before) {
    const key = identify(problem, problem.file);
    known.set(key, (known.get(key) ?? 0) + 1);
  }
  return after.filter((problem) => {
    const key = identify(problem, moves.get(problem.file) ?? problem.file);
    const left = known.get(key) ?? 0;
    known.set(key, left - 1);
    return left <= 0;
  });
}

const identify = ({ kind, target }: Problem, file: string) => [file, kind, target].join('\n');
