import { parse } from 'smol-toml';
import { createLineOf } from '../../line-of.ts';
import type { Slug } from '../../pages/slugs.ts';
import { type FileTree, isBelow, joinPath, relativeTo } from '../../tree.ts';
import { pageAddress } from '../addresses.ts';
import { plainRules } from '../plain.ts';
import { readLineEntry } from '../redirects/line-entry.ts';
import type { Redirect, SiteRules } from '../site-rules.ts';
import { listSummaryEntries } from '../summary-entries.ts';

export function openMdbook(tree: FileTree, root: string): SiteRules {
  const file = joinPath(root, 'book.toml') ?? '';
  const text = tree.read(file) ?? '';
  const settings = readToml(text);
  const source = readPath(settings, ['book', 'src']);
  const folder = joinPath(root, typeof source === 'string' ? source : 'src') ?? root;
  const summary = joinPath(folder, 'SUMMARY.md') ?? '';
  const navigation = listSummaryEntries(tree.read(summary) ?? '', folder, summary);
  const listed = new Set(navigation.flatMap(({ means }) => means));
  return {
    ...plainRules(root),
    folders: [folder],
    configurationFiles: [file],
    isPage: (path) => isBelow(path, folder),
    isMdx: () => false,
    // What the summary does not list is copied as it is, or included by others.
    addressesOf: (path) => (listed.has(path) ? [pageAddress(relativeTo(path, folder))] : []),
    staticFolders: [folder],
    linkRoots: [folder],
    relativeLinks: 'both',
    slug,
    navigation,
    navigationFiles: [summary],
    navigationFile: tree.paths.has(summary) ? summary : undefined,
    mustBeListed: (path) => path !== summary,
    redirects: listRedirects(readPath(settings, ['output', 'html', 'redirect']), { text, file }),
    redirectFiles: [file],
  };
}

function readToml(text: string): unknown {
  try {
    return parse(text);
  } catch {
    return {};
  }
}

const readPath = (value: unknown, [key, ...rest]: readonly string[]): unknown =>
  key === undefined
    ? value
    : readPath(
        typeof value === 'object' && value !== null
          ? Object.entries(value).find(([name]) => name === key)?.[1]
          : undefined,
        rest,
      );

/** https://rust-lang.github.io/mdBook/format/configuration/renderers.html#outputhtmlredirect */
function listRedirects(table: unknown, { text, file }: { text: string; file: string }): Redirect[] {
  const lineOf = createLineOf(text);
  const pairs = typeof table === 'object' && table !== null ? Object.entries(table) : [];
  return pairs.flatMap(([from, to]) => {
    const row = text.indexOf(from);
    const start = text.indexOf(to, row + from.length);
    return typeof to === 'string' && row >= 0 && start >= 0
      ? [
          {
            from: pageAddress(from.replace(/\.html$/, '')),
            to,
            file,
            line: lineOf(start),
            start,
            end: start + to.length,
            entry: readLineEntry(text, { start: row, end: row + from.length }),
          },
        ]
      : [];
  });
}

/** https://github.com/rust-lang/mdBook/blob/master/crates/mdbook-core/src/utils/html.rs */
const slug: Slug = (text) =>
  text
    .trim()
    .toLowerCase()
    .replace(/\s/gu, '-')
    .replace(/[^\p{L}\p{N}_-]/gu, '');
