import { isMap } from '../../formats/data.ts';
import { createIgnoreTest } from '../../formats/ignore-patterns.ts';
import { itemsOf, readSettings, stringIn, valueAt } from '../../formats/settings.ts';
import { createLineOf } from '../../line-of.ts';
import { isMarkdown } from '../../page-extensions.ts';
import { stripMarks } from '../../pages/list-headings.ts';
import { githubSlug, type Slug } from '../../pages/slugs.ts';
import { type FileTree, folderOf, isBelow, joinPath, nameOf, relativeTo } from '../../tree.ts';
import { toAddress, withoutExtension } from '../addresses.ts';
import { wholeFile } from '../edits/data-files.ts';
import { namesRules } from '../edits/rules.ts';
import { type Framework, markedBy } from '../framework.ts';
import { siteRules } from '../plain.ts';
import { readHostRedirects } from '../redirects/host-redirects.ts';
import type { NavigationEntry, SiteRules } from '../site-rules.ts';
import { type JekyllPath, writeAddress } from './jekyll-addresses.ts';

/** https://jekyllrb.com/docs/datafiles/ */
export const jekyll: Framework = {
  name: 'Jekyll',
  hasExactAddresses: true,
  markers: markedBy('_config.yml', '_config.yaml', '_config.toml'),
  sites: { open: (tree, root) => (isJekyllSite(tree, root) ? [openJekyll(tree, root)] : []) },
  data: [wholeFile(/^_data\/.+\.ya?ml$/, 'yaml', namesRules), wholeFile(/^_data\/.+\.json$/, 'json', namesRules)],
  dialect: { templates: [{ language: 'liquid' }], markdown: 'kramdown' },
  templates: [/^_(?:sass|plugins)\//],
  built: /^_site\//,
};

const names = ['_config.yml', '_config.yaml', '_config.toml'];

/** https://jekyllrb.com/docs/structure/ */
function openJekyll(tree: FileTree, root: string): SiteRules {
  const file = names.flatMap((name) => joinPath(root, name) ?? []).find((path) => tree.paths.has(path)) ?? '';
  const text = tree.read(file) ?? '';
  const { value: settings, fault } = readSettings(file, text);
  const read = (...keys: string[]) => valueAt(settings, ...keys);
  const folder = joinPath(root, stringIn(read('source')) ?? '') ?? root;
  const inFolder = stringIn(read('collections_dir')) ?? '';
  const listed = read('collections');
  const published = new Set(['posts', ...(isMap(listed) ? Object.keys(listed) : [])].filter(isPublished));
  const excluded = itemsOf(read('exclude')).flatMap((one) => stringIn(one) ?? []);
  const isExcluded = createIgnoreTest(['vendor/', 'node_modules/', ...excluded].join('\n'));

  function isPublished(name: string): boolean {
    return name === 'posts' || valueAt(listed, name, 'output') === true;
  }

  function readPath(path: string): JekyllPath | undefined {
    const below = relativeTo(path, folder);
    const parts = below.split('/');
    // Posts may lie in the folder of their category.
    const hidden = parts.findIndex((part) => /^[_.#~]/.test(part));
    if (hidden < 0) return { below, collection: undefined, inner: below };
    const name = parts[hidden]?.slice(1) ?? '';
    const isOwn = name === 'posts' || parts.slice(0, hidden).join('/') === inFolder;
    if (!isOwn || !published.has(name) || hidden === parts.length - 1) return undefined;
    return { below, collection: name, inner: parts.slice(hidden + 1).join('/') };
  }

  const write = (path: string, data: Readonly<Record<string, unknown>>) => {
    const read = readPath(path);
    return read && writeAddress(read, data, settings);
  };
  const paths = tree.below(folder);
  // Their front matter, which may have a permalink, is not read: it mostly keeps the name.
  const others = new Set(
    paths
      .filter((path) => /\.html?$/.test(path))
      .map((path) =>
        nameOf(path)
          .replace(/\.html?$/, '')
          .toLowerCase(),
      ),
  );
  const hasOtherPages = paths.some((path) => isHtmlPage.test(relativeTo(path, folder)));
  const folders = new Set(
    paths.filter((path) => /(?:^|\/)index\.html?$/.test(path)).map((path) => nameOf(folderOf(path)).toLowerCase()),
  );
  const posts = new Map(
    paths.flatMap((path) => {
      const read = readPath(path);
      return read?.collection === 'posts' ? [[withoutExtension(read.inner), path] as const] : [];
    }),
  );
  const hasArchives = /archives|paginate|tags|categor/.test(text);
  const navigationFiles = tree
    .below(joinPath(root, '_data') ?? '')
    .filter((path) => /\.ya?ml$/.test(path) && /nav|side|toc|menu|docs/.test(path));
  return {
    ...siteRules(root, folder),
    configurationFiles: [file],
    isPage: (path) => isBelow(path, folder) && !isExcluded(relativeTo(path, folder)),
    addressesOf(path, { frontMatter: { data } }) {
      const own = write(path, data);
      const aliases = [data.redirect_from].flat().filter((alias) => typeof alias === 'string');
      return data.published === false || own === undefined
        ? []
        : [...toAddresses(own), ...aliases.flatMap(toAddresses)];
    },
    baseAddress: toAddress(stringIn(read('baseurl')) ?? '').replace(/^\/$/, ''),
    // Pages end with a slash or with `.html`, by the theme and the host.
    basesOf: (own) => [own, folderOf(own)],
    findMeaning({ target, form }) {
      if (form !== 'reference') return undefined;
      const [path = '', anchor = ''] = target.split('#', 2);
      return { paths: [joinPath(folder, path) ?? path, posts.get(path.replace(/^\//, '')) ?? path], anchor };
    },
    ...(read('kramdown', 'input') === 'kramdown' ? { slug: kramdownSlug } : { slug, slugsMarks: true }),
    areSlugsLoose: !/^(?:kramdown)?$/.test(stringIn(read('markdown')) ?? ''),
    isDynamic(written) {
      const address = toAddress(written).toLowerCase();
      const name = nameOf(address);
      const isArchive = hasArchives && /\/(?:tags?|categor(?:y|ies)|page\d*|archives?)(?:\/|$)/.test(address);
      return address === '/' || others.has(name) || folders.has(name) || isArchive;
    },
    navigation: navigationFiles.flatMap((path) => listEntries(path, tree.read(path) ?? '')),
    navigationFiles,
    // https://just-the-docs.com/docs/navigation/main/: titles of pages in HTML are not known.
    ...(text.includes('just-the-docs') && !hasOtherPages && { parentKeys: ['parent', 'grand_parent'] }),
    navigationFaults: fault === undefined ? [] : [{ file, ...fault }],
    ...(text.includes('jekyll-redirect-from') && {
      pageAliases: {
        key: 'redirect_from',
        write(address, path) {
          const written = write(path, {}) ?? '';
          return toAddresses(written)[0] === address ? written : `${address}/`;
        },
      },
    }),
    ...readHostRedirects(tree, root),
  };
}

/** Jupyter Book has a file of the same name. */
const isJekyllSite = (tree: FileTree, root: string): boolean =>
  !['_toc.yml', '_toc.yaml', 'conf.py'].some((name) => tree.paths.has(joinPath(root, name) ?? '')) &&
  tree.below(root).some(isMarkdown);

/** Outside of folders that are no pages; these have no children. */
const isHtmlPage = /^(?!(?:.*\/)?[_.])(?!(?:assets|404|search)\b).*\.html?$/;

/** Also that of an index below its folder. */
const toAddresses = (written: string): string[] => [
  ...new Set([
    toAddress(written.replace(/\.html?$/, '').replace(/(?:^|\/)index$/, '')),
    toAddress(written.replace(/\.html?$/, '')),
  ]),
];

/** `generate_gfm_header_id` of https://github.com/kramdown/parser-gfm/blob/master/lib/kramdown/parser/gfm.rb: dashes are one character, but not in code. */
const slug: Slug = (written) =>
  githubSlug(stripMarks(written.replace(/`[^`]{0,300}`|-{2,3}/g, (found) => (found.startsWith('`') ? found : '–'))));

/** `basic_generate_id` of https://github.com/gettalong/kramdown/blob/master/lib/kramdown/converter/base.rb */
const kramdownSlug: Slug = (text) =>
  text
    .replace(/^[^A-Za-z]+/, '')
    .replace(/[^A-Za-z\d -]/g, '')
    .replaceAll(' ', '-')
    .toLowerCase() || 'section';

const entry = /^[ \t-]*["']?(?:url|link|href|page)["']?[ \t]*:[ \t]*["']?(\/[^\s"',#]*)/gm;

/** Each theme reads data in its own way: addresses are as in code. */
const listEntries = (file: string, text: string): NavigationEntry[] => {
  const lineOf = createLineOf(text);
  return Array.from(text.matchAll(entry), ({ 0: whole, 1: target = '', index }) => {
    const start = index + whole.length - target.length;
    const means = [toAddresses(target)[0] ?? target];
    return { target, means, file, line: lineOf(start), start, end: start + target.length, isCode: true };
  });
};
