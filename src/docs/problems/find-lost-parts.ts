import { findNearest } from '../../find-nearest-name.ts';
import { type Excerpt, hasExcerpt } from '../pages/list-excerpts.ts';
import type { Page } from '../pages/read-page.ts';
import type { FoundProblem } from '../problem.ts';
import { findPart } from '../sites/find-part.ts';
import type { Site } from '../sites/open-sites.ts';
import { followMeaning } from '../sites/resolve-link.ts';
import { type FileTree, folderOf, joinPath, nameOf } from '../tree.ts';
import { toRelative } from './suggest-link.ts';

/** Imports and includes of a page that lead to no file. */
export function findLostParts(tree: FileTree, site: Site, path: string, page: Page) {
  const parts = page.parts.filter(({ target, isPath }) =>
    isPath ? !/[{}*?!|]/.test(target) : /^(?:\.{1,2}\/|\/|@site\/)/.test(target) && !/[{}$*?!]/.test(target),
  );
  const problems = parts
    .filter(({ target }) => isLostPart(tree, site, path, target))
    .map(
      ({ target, start, kind }): FoundProblem => ({
        file: path,
        line: page.lineOf(start),
        kind: 'import',
        severity: 'must',
        target: namePart(path, target),
        written: target,
        describe: () => `${kind} ${target} leads to no file`,
        suggest: () => nearestPart(tree, path, target),
      }),
    );
  return { problems, checked: parts.length, targets: parts.map(({ target }) => namePart(path, target)) };
}

function isLostPart(tree: FileTree, site: Site, from: string, part: string): boolean {
  const meaning = site.findPartMeaning?.(part, from);
  if (meaning === undefined) return findPart(tree, site, from, part) === undefined && !isMadePart(site, from, part);
  const found = followMeaning(tree, site, meaning, part);
  return found.kind === 'broken' && !found.isOpen;
}

/** Beside the page, or from a root. */
const isMadePart = (site: Site, from: string, part: string) =>
  [...(part.startsWith('/') ? [] : [folderOf(from)]), ...site.linkRoots, site.root].some((folder) =>
    site.isMade(joinPath(folder, part.replace(/^@site\//, '')) ?? ''),
  );

const namePart = (from: string, target: string) =>
  target.startsWith('.') ? (joinPath(folderOf(from), target) ?? target) : target;

/** A file of the repository with the same name, or the most similar path beside it. */
function nearestPart(tree: FileTree, from: string, part: string): string | undefined {
  const name = nameOf(part);
  const isSame = (path: string) => nameOf(path) === name || nameOf(path).replace(/\.\w+$/, '') === name;
  const same = [...tree.paths].find(isSame);
  const wanted = joinPath(part.startsWith('.') ? folderOf(from) : '', part.replace(/^@site\//, '')) ?? part;
  const found = same ?? findNearest(wanted, tree.paths);
  return found === undefined || !part.startsWith('.') ? found : toRelative(folderOf(from), found);
}

/** Parts of files that a page shows and that these no longer have, and the files that were read. Files that are gone are imports. */
export function findLostExcerpts(
  tree: FileTree,
  site: Site,
  path: string,
  { excerpts = [], lineOf }: Page,
): { problems: FoundProblem[]; files: string[] } {
  const found = excerpts.flatMap((excerpt) => {
    const file = findPart(tree, site, path, excerpt.target);
    const text = file === undefined ? undefined : tree.read(file);
    return file === undefined || text === undefined ? [] : [{ excerpt, file, text }];
  });
  const lost = found.filter(({ excerpt, file, text }) => !hasExcerpt(text, excerpt) && !isHeading(site, file, excerpt));
  const problems = lost.map(({ excerpt: { kind, value, start }, file }): FoundProblem => {
    const describe = () => `${file} has no ${names[kind]} ${value}, which this page shows`;
    const target = `${file} ${kind} ${value}`;
    return { file: path, line: lineOf(start), kind: 'excerpt', severity: 'should', target, describe };
  });
  return { problems, files: found.map(({ file }) => file) };
}

const names: Record<Excerpt['kind'], string> = {
  region: 'region or tag',
  line: 'line',
  text: 'line with',
  object: 'class or function',
};

/** A section of a page, by its anchor. */
function isHeading({ pages, slug }: Site, file: string, { kind, value }: Excerpt): boolean {
  const headings = kind === 'region' ? (pages.get(file)?.headings ?? []) : [];
  return headings.some(({ text, id }) => id === value || fold(slug(text)) === fold(value));
}

const fold = (text: string) => text.toLowerCase().replace(/[^\p{L}\p{N}]/gu, '');
