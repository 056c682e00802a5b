import type { Documentation } from '../documentation.ts';
import type { Page } from '../pages/read-page.ts';
import { isBelow, joinPath } from '../tree.ts';

interface OutlineHeading {
  line: number;
  depth: number;
  text: string;
  id: string | undefined;
}

export type Outline =
  | { kind: 'none' }
  | {
      kind: 'page';
      address: string | undefined;
      data: [key: string, value: string][];
      headings: OutlineHeading[];
      lines: number;
    }
  /** Of pages below a folder, in order. */
  | { kind: 'folder'; pages: { path: string; title: string }[] };

const maxValueCharacters = 200;
const maxTitleCharacters = 100;
const maxPages = 1_000;

/** A question: the headings and front matter of a page, or the titles of a folder's pages. */
export function outline({ head: { tree, sites } }: Documentation, { path: name }: { path: string }): Outline {
  const path = joinPath('', name) ?? '';
  const site = sites.find(({ pages }) => pages.has(path));
  const page = site?.pages.get(path);
  if (site && page) {
    return {
      kind: 'page',
      address: site.addressesOf(path, page)[0],
      data: Object.entries(page.frontMatter.data).map(([key, value]) => [key, show(value)]),
      headings: page.headings.map(({ start, depth, text, id }) => ({ line: page.lineOf(start), depth, text, id })),
      lines: countLines(tree.read(path) ?? ''),
    };
  }
  const pages = sites
    .flatMap((each) => [...each.pages])
    .filter(([other]) => isBelow(other, path))
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .slice(0, maxPages)
    .map(([other, each]) => ({ path: other, title: titleOf(each) }));
  return pages.length === 0 ? { kind: 'none' } : { kind: 'folder', pages };
}

const countLines = (text: string) => text.split('\n').length - (text.endsWith('\n') ? 1 : 0);

/** Front matter may hold itself, by aliases. */
function show(value: unknown): string {
  const values = Array.isArray(value) ? value : [value];
  const text = values.map((each) => (typeof each === 'object' && each !== null ? '{...}' : String(each))).join(', ');
  return text.slice(0, maxValueCharacters).toWellFormed();
}

function titleOf({ frontMatter: { data }, headings }: Page): string {
  const title = [data.title, data.sidebarTitle, data.sidebar_label].find((value) => typeof value === 'string');
  return (title ?? headings[0]?.text ?? '').slice(0, maxTitleCharacters).toWellFormed();
}
