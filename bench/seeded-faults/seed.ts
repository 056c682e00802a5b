import type { Problem } from '../../src/docs/problem.ts';
import type { ProblemKind } from '../../src/docs/problem-kinds.ts';
import type { Site } from '../../src/docs/sites/open-sites.ts';
import type { FileTree } from '../../src/docs/tree.ts';

export type Random = () => number;

/** The start of a seed: a tree, and one of its sites. */
export interface Ground {
  tree: FileTree;
  sites: readonly Site[];
  random: Random;
}

export interface Seeded {
  /** Of the page that was changed first. */
  framework: string;
  change: Map<string, string | null>;
  /** Whether a problem reports the fault. */
  isTold(problem: Problem): boolean;
}

/** Undefined: nothing in the tree fits. */
export type Seed = (ground: Ground) => Seeded | undefined;

/** Small and good enough for drawing: https://github.com/bryc/code/blob/master/jshash/PRNGs.md#mulberry32 */
export function createRandom(seed: number): Random {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

export const draw = <Item>(items: readonly Item[], random: Random): Item | undefined =>
  items[Math.floor(random() * items.length)];

export const tells =
  (file: string | undefined, ...kinds: ProblemKind[]) =>
  (problem: Problem): boolean =>
    kinds.includes(problem.kind) && (file === undefined || problem.file === file);

/** A page that is shown at an address, and has some text. */
export function drawPage(
  { sites, tree, random }: Ground,
  fits: (site: Site, path: string, text: string) => boolean = () => true,
): { site: Site; path: string; text: string } | undefined {
  const pages = sites.flatMap((site) => [...site.pages.keys()].map((path) => ({ site, path })));
  for (let tries = 0; tries < 200; tries += 1) {
    const found = draw(pages, random);
    const text = found && tree.read(found.path);
    if (found && text && text.length < 100_000 && fits(found.site, found.path, text)) return { ...found, text };
  }
  return undefined;
}

/** Replaces the last name of an address by one that does not exist. */
export function misspell(target: string): string {
  const [, path = '', rest = ''] = /^([^?#]*)(.*)$/s.exec(target) ?? [];
  return path.replace(/([^/.]+)((?:\.\w+)?\/?)$/, 'zz-$1-qx$2') + rest;
}

/** The text with another one in place of `start` to `end`. */
export const splice = (
  text: string,
  { start, end }: { start?: number | undefined; end?: number | undefined },
  by: string,
): string => text.slice(0, start) + by + text.slice(end);

/** One file is changed, or deleted. */
export const seed = ({ framework }: Site, path: string, text: string | null, isTold: Seeded['isTold']): Seeded => ({
  framework: framework.name,
  change: new Map([[path, text]]),
  isTold,
});

/** Appends to a page, below a blank line. */
export const append = (text: string, added: string): string => `${text.trimEnd()}\n\n${added}\n`;

export function needPage(site: Ground['sites'][number], path: string) {
  const page = site.pages.get(path);
  if (!page) throw new Error(`${path} is no page`);
  return page;
}

/** Whether a page's framework reads it as MDX. */
export const isParsedAsMdx = (framework: string, path: string) =>
  framework !== 'Markdown' && (path.endsWith('.mdx') || /^(?:Docusaurus|Mintlify)$/.test(framework));
