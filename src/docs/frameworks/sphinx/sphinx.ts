import { createIgnoreTest } from '../../formats/ignore-patterns.ts';
import { createLineOf } from '../../line-of.ts';
import type { PageFormat } from '../../page-extensions.ts';
import { normalizeLabel } from '../../pages/read-sphinx-page.ts';
import { docutilsSlug } from '../../pages/slugs.ts';
import { type FileTree, folderOf, isBelow, joinPath, nameOf, relativeTo } from '../../tree.ts';
import { toAddress } from '../addresses.ts';
import { containerAt } from '../edits/data-files.ts';
import { redirectRules } from '../edits/rules.ts';
import type { Framework } from '../framework.ts';
import { plainRules } from '../plain.ts';
import { readLineEntry } from '../redirects/host-redirects.ts';
import type { Redirect, SiteRules } from '../site-rules.ts';
import { readSphinxConfiguration, type SphinxConfiguration } from './sphinx-configuration.ts';
import { createSphinxLinks } from './sphinx-links.ts';

/** https://www.sphinx-doc.org/en/master/usage/configuration.html */
export const sphinx: Framework = {
  name: 'Sphinx',
  markers: [{ path: 'conf.py' }],
  sites: { open: openSphinx },
  // https://myst-parser.readthedocs.io/en/latest/syntax/optional.html#substitutions-with-jinja2
  dialect: {
    copiesFiles: true,
    templates: [
      { language: 'liquid', contains: /substitution/, only: 'markdown' },
      // https://www.sphinx-doc.org/en/master/extdev/event_callbacks.html#event-source-read
      { language: 'liquid', contains: /source-read|include-read|render_string/ },
    ],
  },
  templates: [/(?:^|\/)_templates\//, /^_(?:ext|themes?)\//],
  // https://www.sphinx-doc.org/en/master/usage/advanced/intl.html
  translations: /(?:^|\/)locales?\/[^/]+\/lc_messages\/(?:[^/]+\/){0,9}[^/]+\.pot?$/,
  data: [
    {
      path: /^conf\.py$/,
      format: 'python',
      what: 'its redirects',
      containers: [containerAt(redirectRules, 'redirects')],
    },
  ],
  redirectForms: [
    {
      file: /^conf\.py$/,
      isRelative: true,
      write: (from, to) => `"${from.address.slice(1)}": "${to.address.slice(1)}.html"`,
    },
  ],
};

/** A site for the folder of the configuration, or for those in it that share it. */
function openSphinx(tree: FileTree, root: string): SiteRules[] {
  const configuration = readSphinxConfiguration(tree, root);
  return findSources(tree, root, configuration).map((folder) => openSource(tree, { folder, configuration }));
}

function findSources(tree: FileTree, root: string, { suffixes, rootDocument }: SphinxConfiguration): string[] {
  const all = [...suffixes, '.rst', '.md', '.ipynb', '.txt'];
  const isSource = (folder: string) =>
    all.some((suffix) => tree.paths.has(joinPath(folder, rootDocument + suffix) ?? ''));
  const hasPages = tree
    .below(root)
    .some((path) => folderOf(path) === root && suffixes.some((suffix) => path.endsWith(suffix)));
  if (isSource(root) || hasPages) return [root];
  const folders = new Set(
    tree.below(root).flatMap((path) => {
      const [name, ...rest] = relativeTo(path, root).split('/');
      return name === undefined || rest.length !== 1 ? [] : [joinPath(root, name) ?? root];
    }),
  );
  return [...folders].filter(isSource);
}

/** Folders of tools, and what Sphinx itself never reads. */
const neverRead = ['_build', '.*', '.venv', 'venv', '_templates', '_static', 'node_modules'];

function openSource(
  tree: FileTree,
  { folder, configuration }: { folder: string; configuration: SphinxConfiguration },
): SiteRules {
  const { file, suffixes, rootDocument, excluded } = configuration;
  const patterns = [...excluded, ...neverRead].map((pattern) => `/${pattern.replace(/^\//, '')}`);
  const isExcluded = createIgnoreTest(patterns.join('\n'));
  const formats = new Map<string, PageFormat>(suffixes.map((suffix) => [suffix, suffix === '.md' ? 'myst' : 'rst']));
  const formatOf = (path: string) => formats.get(path.slice(path.lastIndexOf('.')));
  const isDocument = (path: string) =>
    isBelow(path, folder) && formatOf(path) !== undefined && !isExcluded(relativeTo(path, folder));
  let included: ReadonlySet<string> | undefined;
  const isIncluded = (path: string) => {
    included ??= listIncluded(tree, folder, formatOf);
    return included.has(nameOf(path));
  };
  const links = createSphinxLinks(tree, { folder, configuration, isDocument });
  const start = suffixes
    .map((suffix) => joinPath(folder, rootDocument + suffix) ?? '')
    .find((path) => tree.paths.has(path));
  return {
    ...plainRules(folder),
    ...links,
    configurationFiles: [file],
    // What is excluded may be a part of other pages.
    isPage: (path) => isDocument(path) || (isBelow(path, folder) && isIncluded(path)),
    isMdx: () => false,
    formatOf,
    addressesOf: (path) => (isDocument(path) ? [toDocumentAddress(relativeTo(path, folder))] : []),
    labelsOf: (path, { labels = [], headings, titles }) => [
      ...(configuration.hasTitleLabels
        ? [...headings.map(({ text }) => text), ...titles].flatMap((title) =>
            listTitleLabels(relativeTo(path, folder), title),
          )
        : []),
      ...labels,
    ],
    areAttributesChecked: false,
    slug: docutilsSlug,
    isMade: (path) => configuration.makesPages && !tree.hasFolder(folderOf(path)),
    navigationFile: start,
    mustBeListed: (path, { frontMatter: { data } }) =>
      isDocument(path) &&
      data.orphan === undefined &&
      !configuration.hasOtherLists &&
      path !== start &&
      !isIncluded(path),
    redirects: listRedirects(configuration),
    redirectFiles: configuration.redirects.length > 0 ? [file] : [],
  };
}

/** https://www.sphinx-doc.org/en/master/usage/extensions/autosectionlabel.html */
const listTitleLabels = (below: string, title: string) =>
  [title, `${withoutSuffix(below)}:${title}`].map(normalizeLabel);

const withoutSuffix = (path: string) => path.replace(/\.(?:rst|md|txt|ipynb|html)$/, '');
const toDocumentAddress = (below: string) => toAddress(withoutSuffix(below).replace(/(^|\/)index$/, '$1'));

/** Names of files that other pages include. */
function listIncluded(tree: FileTree, folder: string, formatOf: (path: string) => PageFormat | undefined): Set<string> {
  const pages = tree.below(folder).filter((path) => formatOf(path) !== undefined);
  return new Set(
    pages.flatMap((path) =>
      Array.from((tree.read(path) ?? '').matchAll(/\{include\}[ \t]*(\S+)|\binclude::[ \t]*(\S+)/g), ([, myst, rst]) =>
        nameOf(myst ?? rst ?? ''),
      ),
    ),
  );
}

/** https://documatt.com/sphinx-reredirects/usage/: from a page, relative to its address. */
function listRedirects({ redirects, text, file }: SphinxConfiguration): Redirect[] {
  const lineOf = createLineOf(text);
  return redirects.flatMap(({ key, value, start, end }): Redirect[] => {
    if (key === undefined) return [];
    const entry = readLineEntry(text, { start: key.start, end: key.end });
    return [{ from: toDocumentAddress(key.value), to: value, file, line: lineOf(start), start, end, entry }];
  });
}
