import { isMap, isScalar, isSeq } from 'yaml';
import { createIgnoreTest } from '../../formats/ignore-patterns.ts';
import { findPlugin, listPairs, listTexts, readYaml, textOf } from '../../formats/yaml.ts';
import { isMarkdown } from '../../page-extensions.ts';
import type { Slug } from '../../pages/slugs.ts';
import { type FileTree, folderOf, isBelow, joinPath, nameOf, relativeTo } from '../../tree.ts';
import { pageAddress } from '../addresses.ts';
import { listLanguages } from '../languages.ts';
import { siteRules } from '../plain.ts';
import { readLineEntry } from '../redirects/host-redirects.ts';
import type { NavigationEntry, SiteRules } from '../site-rules.ts';
import { listSummaryEntries } from '../summary-entries.ts';
import { createMkDocsLanguages, type MkDocsConfiguration, readMkDocsConfiguration } from './mkdocs-configuration.ts';

/** They generate navigation or pages, so an unlisted page is not lost. */
const generatingPlugins = [
  'awesome-pages',
  'awesome-nav',
  'literate-nav',
  'gen-files',
  'monorepo',
  'multirepo',
  'api-autonav',
];

/** They make pages, or take them from elsewhere. */
const makingPlugins = ['gen-files', 'monorepo', 'multirepo', 'api-autonav', 'mkdoxy', 'coverage', 'gallery'];

/** Extensions, plugins and hooks that define links by reference. */
const definesElsewhere = /auto_append|autorefs|mkdocstrings|mkdocs-click|macros|ezlinks|roamlinks|hooks:/;

/** A site for each folder of pages: `mkdocs.yml`, or `mkdocs.en.yml` and `mkdocs.de.yml` beside each other. */
export function openMkDocs(tree: FileTree, root: string): SiteRules[] {
  const configurations = listConfigurations(tree, root).map((file) => readMkDocsConfiguration(tree, file));
  const inherited = new Set(configurations.flatMap(({ files }) => files.slice(1)));
  const sites = new Map<string, SiteRules>();
  for (const configuration of configurations) {
    const [file = ''] = configuration.files;
    const folder = joinPath(root, textOf(configuration.find('docs_dir')?.node) ?? 'docs') ?? root;
    if (sites.has(folder) || (inherited.has(file) && !isMain(file))) continue;
    sites.set(folder, openMkDocsSite(tree, { root, folder, file, configuration }));
  }
  return [...sites.values()];
}

const isMain = (file: string) => /^mkdocs\.ya?ml$/.test(nameOf(file));

const listConfigurations = (tree: FileTree, root: string): string[] =>
  tree
    .below(root)
    .filter((path) => folderOf(path) === root && /^mkdocs[^/]*\.ya?ml$/i.test(nameOf(path)))
    .toSorted((a, b) => Number(isMain(b)) - Number(isMain(a)));

/** Also of Zensical, which reads the same settings. */
export function openMkDocsSite(
  tree: FileTree,
  options: { root: string; folder: string; file: string; configuration: MkDocsConfiguration },
): SiteRules {
  const { root, folder, file, configuration } = options;
  const read = (key: string) => configuration.find(key)?.node;
  const plugins = read('plugins');
  const nav = configuration.find('nav');
  const pluginsFile = configuration.find('plugins');
  const languages = createMkDocsLanguages(findPlugin(plugins, 'i18n'), folder);
  const isExcluded = createIgnoreTest(textOf(read('exclude_docs')));
  const outside = listTexts(findPlugin(plugins, 'exclude')?.('glob')).map(({ value }) =>
    value.includes('/') ? `/${value}` : value,
  );
  /** Parts of other pages, mostly: their links are relative to these. https://github.com/apenwarr/mkdocs-exclude */
  const isLeftOut = createIgnoreTest(outside.join('\n'));
  // A language may take the settings of another, and programs of the site copy the pages that it lacks.
  const [, inherited] = configuration.files;
  const original = inherited && isMain(inherited) ? joinPath(folderOf(inherited), relativeTo(folder, root)) : undefined;
  const isUnlisted = createIgnoreTest(textOf(read('not_in_nav')));
  const blogNode = findPlugin(plugins, 'blog')?.('blog_dir');
  const blog = findPlugin(plugins, 'blog') && (textOf(blogNode) ?? 'blog');
  const moved = findPlugin(plugins, 'redirects')?.('redirect_maps');
  const toPage = (path: string) => pageAddress(path.replace(/\.html$/, ''));
  const navigation = listTexts(nav?.node)
    .filter(({ value }) => !/^[a-z][a-z\d+.-]*:|^\/|^$|^!include/i.test(value))
    .map(({ node, value }): NavigationEntry => {
      const path = value.replace(/#.*/, '');
      const target = joinPath(folder, path) ?? path;
      const { start, line } = nav?.locate(node) ?? { start: 0, line: 1 };
      // Plugins take folders.
      const own = [...languages.listTranslations(target), target, `${target}/`];
      const means = original === undefined ? own : [...own, joinPath(original, path) ?? path];
      return { target, means, file: nav?.file ?? file, line, start, end: start + path.length, isCode: false };
    });
  const literate = findPlugin(plugins, 'literate-nav');
  const summaries =
    literate === undefined ? [] : listSummaries(tree, folder, textOf(literate('nav_file')) ?? 'SUMMARY.md');
  navigation.push(...summaries.flatMap((path) => listLiterateEntries(tree, path)));
  const lists = folderLists.filter(([plugin]) => findPlugin(plugins, plugin)).flatMap(([, ...names]) => names);
  navigation.push(...listFolderEntries(tree, folder, lists));
  if (blog !== undefined && pluginsFile !== undefined && isScalar(blogNode)) {
    const target = joinPath(folder, blog) ?? blog;
    const place = { file: pluginsFile.file, ...pluginsFile.locate(blogNode) };
    navigation.push({ target, means: [`${target}/`], ...place, isCode: false });
  }
  // Each version is built from its own branch: https://squidfunk.github.io/mkdocs-material/setup/setting-up-versioning/
  const hasVersions = findPlugin(plugins, 'mike') !== undefined || findProvider(read('extra')) === 'mike';
  const makesPages = makingPlugins.some((name) => findPlugin(plugins, name) !== undefined);
  const hasOwn = hasOwnSlugs(read('markdown_extensions'));
  // https://www.mkdocs.org/user-guide/configuration/#validation
  const validation = read('validation');
  const absolute =
    isMap(validation) && (validation.getIn(['links', 'absolute_links']) ?? validation.get('absolute_links'));
  const isRelativeToDocs = absolute === 'relative_to_docs';
  // Code may turn them into others.
  const hasOwnLinks =
    read('hooks') !== undefined ||
    /absolute|site-urls|roamlinks/.test(
      listTexts(plugins)
        .map(({ value }) => value)
        .join(),
    );
  const isGenerated = generatingPlugins.some((name) => findPlugin(plugins, name) !== undefined);
  return {
    ...siteRules(root, folder),
    configurationFiles: configuration.files,
    isPage: (path) => isBelow(path, folder) && !isExcluded(relativeTo(path, folder)),
    addressesOf: (path) => [pageAddress(languages.toAddressPath(relativeTo(path, folder)))],
    otherFiles: (path) => [
      ...languages.listOtherFiles(path),
      ...(original === undefined ? [] : [joinPath(original, relativeTo(path, folder)) ?? '']),
    ],
    // Links of a summary are entries.
    findMeaning: ({ from }) => (summaries.includes(from) || isLeftOut(relativeTo(from, folder)) ? {} : undefined),
    hasOpenReferences: configuration.files.some((each) => definesElsewhere.test(tree.read(each) ?? '')),
    // MkDocs leaves absolute links and raw HTML as they are, unless its settings say otherwise.
    areAbsoluteLinksChecked: isRelativeToDocs,
    refuses: (target) => !isRelativeToDocs && !hasOwnLinks && /^\/(?!\/)[^?#]*\.md(?:[?#]|$)/.test(target),
    relativeLinks: isOff(read('use_directory_urls')) ? 'files' : 'named-files',
    areAttributesChecked: false,
    ...(hasVersions && {
      isElsewhere: (address, from) => !isMarkdown(address) && !isBelow(joinPath(folderOf(from), address) ?? '', folder),
    }),
    slug: hasOwn ? (text) => unicodeSlug(text) : slug,
    areSlugsLoose: hasOwn,
    numberSlugs,
    // Whole folders: a page that is missing beside others is more likely a mistake.
    isMade: (path) =>
      makesPages && isBelow(path, folder) && !isIn(tree, folderOf(path), folder) && !/\.\w+\//.test(path),
    navigation,
    navigationFiles: [...(nav === undefined ? [] : [nav.file]), ...summaries],
    navigationFile: isSeq(nav?.node) || isMap(nav?.node) ? nav?.file : undefined,
    navigationFaults: configuration.faults,
    mustBeListed(path) {
      const below = relativeTo(path, folder);
      const isBlog = blog !== undefined && isBelow(below, blog);
      const isTranslation = languages.isTranslation(below);
      return (
        !isGenerated &&
        !isBlog &&
        !isTranslation &&
        !isUnlisted(below) &&
        !isLeftOut(below) &&
        !/^includes\/|^(?:tags|404)\.md$/.test(below) &&
        !nameOf(path).startsWith('_')
      );
    },
    redirects:
      pluginsFile === undefined
        ? []
        : listPairs(moved).map(({ key, keyNode, node, value }) => ({
            from: toPage(key),
            to: value,
            file: pluginsFile.file,
            ...pluginsFile.locate(node),
            entry: readLineEntry(pluginsFile.text, pluginsFile.locate(keyNode)),
          })),
    redirectFiles: moved === undefined || pluginsFile === undefined ? [] : [pluginsFile.file],
    languages: listLanguages(tree, { root, ...languages }),
  };
}

const listSummaries = (tree: FileTree, folder: string, name: string): string[] =>
  tree.named([nameOf(name)]).filter((path) => isBelow(path, folder));

/** Pages and folders; a star stands for many. https://oprypin.github.io/mkdocs-literate-nav/reference.html */
const listLiterateEntries = (tree: FileTree, file: string): NavigationEntry[] =>
  listSummaryEntries(tree.read(file) ?? '', folderOf(file), file)
    .filter(({ target }) => !target.includes('*'))
    .map((entry) => ({ ...entry, means: [...entry.means, `${entry.target}/`] }));

/** https://lukasgeiter.github.io/mkdocs-awesome-nav/features/nav/ and https://github.com/lukasgeiter/mkdocs-awesome-pages-plugin */
const folderLists = [
  ['awesome-nav', '.nav.yml', '.nav.yaml'],
  ['awesome-pages', '.pages'],
] as const;

/** Pages and folders by name, relative to the list or, as programs of some sites copy it, to all pages; the rest are patterns. */
const listFolderEntries = (tree: FileTree, folder: string, names: readonly string[]): NavigationEntry[] =>
  tree
    .named(names)
    .filter((file) => isBelow(file, folder))
    .flatMap((file) => {
      const { document, locate } = readYaml(tree.read(file) ?? '');
      const nav = isMap(document.contents) ? document.contents.get('nav', true) : undefined;
      return listTexts(nav).flatMap(({ node, value }) => {
        const target = joinPath(folderOf(file), value) ?? value;
        const isName = /^[\w./ -]+\.md$/.test(value) || tree.hasFolder(target);
        const rooted = joinPath(folder, value) ?? target;
        return isName ? [{ target, means: [target, `${target}/`, rooted], file, ...locate(node), isCode: false }] : [];
      });
    });

const findProvider = (extra: unknown): string | undefined =>
  isMap(extra) ? textOf(extra.getIn(['version', 'provider'])) : undefined;

const isOff = (node: unknown) => isScalar(node) && node.value === false;

/** https://facelessuser.github.io/pymdown-extensions/extras/slugs/ */
const hasOwnSlugs = (extensions: unknown) =>
  ['toc', 'pymdownx.tabbed'].some((name) => findPlugin(extensions, name)?.('slugify') !== undefined);

const isIn = (tree: FileTree, folder: string, pages: string): boolean => folder === pages || tree.hasFolder(folder);

/** https://python-markdown.github.io/extensions/toc/, without icons: other letters than those of ASCII go. */
const slug: Slug = (text) => unicodeSlug(text, /[^\w\s-]|[^\0-\x7F]/g);

const unicodeSlug = (text: string, dropped = /[^\p{L}\p{N}_\s-]/gu): string =>
  text
    .replace(/:[a-z][\w+-]*:/g, '')
    .normalize('NFKD')
    .replace(dropped, '')
    .trim()
    .toLowerCase()
    .replace(/[\s-]+/g, '-');

/** `unique` of https://github.com/Python-Markdown/markdown/blob/master/markdown/extensions/toc.py: a heading without letters of ASCII is `_1`. */
function numberSlugs(slugs: readonly string[]): string[] {
  const used = new Set<string>();
  return slugs.map((made) => {
    let id = made;
    while (id === '' || used.has(id)) {
      const [, stem = id, count = '0'] = /^(.*)_(\d+)$/.exec(id) ?? [];
      id = `${stem}_${Number(count) + 1}`;
    }
    used.add(id);
    return id;
  });
}
