import { decodeAddress } from '../decode-address.ts';
import { type Data, isMap } from '../formats/data.ts';
import { createStringFinder, readToml } from '../formats/toml.ts';
import { createLineOf } from '../line-of.ts';
import type { Slug } from '../pages/slugs.ts';
import { type FileTree, folderOf, joinPath, relativeTo } from '../tree.ts';
import { pageAddress } from './addresses.ts';
import { containerAt, type EntryRules } from './edits/data-files.ts';
import { type Framework, markedBy } from './framework.ts';
import { siteRules } from './plain.ts';
import { readLineEntry } from './redirects/host-redirects.ts';
import type { Redirect, SiteRules } from './site-rules.ts';
import { listSummaryEntries } from './summary-entries.ts';

const page = /^(?!\/\/)[\w./%#~-]+$/;
const address = /^https?:\/\/[\w.-]+(?::\d+)?(?:[/?#][^\s<>"'\\]*)?$/;

/** https://rust-lang.github.io/mdBook/format/configuration/renderers.html#outputhtmlredirect: each key is a file that mdBook writes. */
const redirects: EntryRules = {
  keys: [],
  otherKeys: /^\/(?!.*\.\.)[\w./%#~-]+$/,
  isClosed: true,
  links: [],
  values: { '*': (value) => typeof value === 'string' && (page.test(value) || address.test(value)) },
};

/** https://rust-lang.github.io/mdBook/format/configuration/general.html */
export const mdbook: Framework = {
  name: 'mdBook',
  markers: markedBy('book.toml'),
  sites: { open: (tree, root) => [openMdbook(tree, root)] },
  data: [
    {
      path: /^book\.toml$/,
      format: 'toml',
      what: 'its redirects',
      containers: [containerAt(redirects, 'output', 'html', 'redirect')],
    },
  ],
  dialect: { templates: [{ language: 'mdbook' }] },
  templates: [/^theme\//],
  redirectForms: [
    {
      file: /^book\.toml$/,
      // mdBook writes a page at the old address, and its link is relative to that page.
      isRelative: true,
      write: (from, to) => `[output.html.redirect]\n"${from.address}.html" = "${to.address}.html"`,
    },
  ],
};

function openMdbook(tree: FileTree, root: string): SiteRules {
  const file = joinPath(root, 'book.toml') ?? '';
  const text = tree.read(file) ?? '';
  const settings = readToml(text).value;
  const source = readPath(settings, ['book', 'src']);
  const folder = joinPath(root, typeof source === 'string' ? source : 'src') ?? root;
  const summary = joinPath(folder, 'SUMMARY.md') ?? '';
  const navigation = listSummaryEntries(tree.read(summary) ?? '', folder, summary);
  const listed = new Set(navigation.flatMap(({ means }) => means));
  // Programs that mdBook hands its pages to make links of names.
  const isPreprocessed = Object.keys(readTable(settings, 'preprocessor')).some(
    (name) => !knownPreprocessors.test(name),
  );
  return {
    ...siteRules(root, folder),
    configurationFiles: [file],
    // What the summary does not list is copied as it is, or included by others.
    addressesOf: (path) => (listed.has(path) ? [pageAddress(relativeTo(path, folder))] : []),
    areAbsoluteLinksChecked: false,
    // Files outside of the book have no address; other books may lie beside it.
    refuses: (target, from) =>
      listed.has(from) &&
      /^[^#?:]+\.md(?:[#?].*)?$/.test(target) &&
      leaves(folder, from, target) &&
      tree.paths.has(joinPath(folderOf(from), target.replace(/[#?].*/, '')) ?? ''),
    isElsewhere: (address, from) =>
      leaves(folder, from, address) || (isPreprocessed && !/\/|\.(?:md|html)$/.test(address)),
    hasOpenReferences: isPreprocessed,
    slug,
    navigation,
    navigationFiles: [summary],
    navigationFile: tree.paths.has(summary) ? summary : undefined,
    // https://rust-lang.github.io/mdBook/format/configuration/renderers.html#html-renderer-options
    mustBeListed: (path) => path !== summary && relativeTo(path, folder) !== '404.md',
    redirects: listRedirects(readPath(settings, ['output', 'html', 'redirect']), { text, file }),
    redirectFiles: [file],
  };
}

const knownPreprocessors = /^(?:links|index|mermaid|admonish|toc|katex|pagetoc|alerts|gettext|quiz|emojicodes)$/;

const readTable = (settings: Data | undefined, key: string) => {
  const table = readPath(settings, [key]);
  return isMap(table) ? table : {};
};

/** Also where the way back into the book leads through the folders around it, which its site does not have. */
const leaves = (folder: string, from: string, target: string): boolean =>
  !target.startsWith('/') &&
  joinPath(relativeTo(folderOf(from), folder), decodeAddress(target.replace(/[#?].*/, ''))) === undefined;

const readPath = (value: Data | undefined, keys: readonly string[]): Data | undefined =>
  keys.reduce<Data | undefined>((at, key) => (isMap(at) ? at[key] : undefined), value);

/** https://rust-lang.github.io/mdBook/format/configuration/renderers.html#outputhtmlredirect */
function listRedirects(table: Data | undefined, { text, file }: { text: string; file: string }): Redirect[] {
  const lineOf = createLineOf(text);
  const { find } = createStringFinder(text);
  return Object.entries(isMap(table) ? table : {}).flatMap(([from, to]) => {
    const source = find(from);
    const target = typeof to === 'string' ? find(to) : undefined;
    if (typeof to !== 'string' || source === undefined || target === undefined) return [];
    const place = { file, line: lineOf(target.start), ...target };
    return [{ from: pageAddress(from.replace(/\.html$/, '')), to, ...place, entry: readLineEntry(text, source) }];
  });
}

/** https://github.com/rust-lang/mdBook/blob/master/crates/mdbook-core/src/utils/html.rs */
const slug: Slug = (text) =>
  text
    .trim()
    .toLowerCase()
    .replace(/\s/gu, '-')
    .replace(/[^\p{L}\p{N}_-]/gu, '');
