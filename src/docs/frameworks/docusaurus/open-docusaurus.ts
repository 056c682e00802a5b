import { slug } from 'github-slugger';
import { isMadeByCode, type Literal, readScript } from '../../formats/javascript.ts';
import { isMarkdown } from '../../page-extensions.ts';
import { githubSlug, type Slug } from '../../pages/slugs.ts';
import { type FileTree, isBelow, joinPath, relativeTo } from '../../tree.ts';
import { toAddress, withoutIndex } from '../addresses.ts';
import { findLanguageFolders, listLanguages } from '../languages.ts';
import { siteRules } from '../plain.ts';
import { readHostRedirects } from '../redirects/host-redirects.ts';
import { readObjectRedirects } from '../redirects/script-redirects.ts';
import { findScript, hasMath, isScript } from '../scripts.ts';
import type { SiteRules, SiteVersion } from '../site-rules.ts';
import { type Content, listContents, listDocAddresses, listDocNames } from './docusaurus-contents.ts';
import { readSidebars } from './docusaurus-sidebars.ts';

export function openDocusaurus(tree: FileTree, root: string): SiteRules {
  const file = findScript(tree, root, 'docusaurus.config') ?? '';
  const script = readScript(tree.read(file));
  const codes = script.strings.filter(({ keys }) => keys.at(-1) === 'locales' && keys.at(-2) === 'i18n');
  const locales = codes.map(({ value }) => value);
  const defaultCode = readOption(script.strings, 'defaultLocale') ?? 'en';
  const languages = locales.filter((code) => code !== defaultCode);
  const contents = listContents(tree, root, { script, languages });
  const contentOf = (path: string) => contents.find(({ folder }) => isBelow(path, folder));
  const host = readHostRedirects(tree, root);
  const redirects = [...readObjectRedirects(script, { file, from: 'from', to: 'to' }), ...host.redirects];
  const sidebars = readSidebars(tree, root, { script, contents });
  const routes = listRoutes(tree, contents);
  const text = tree.read(file) ?? '';
  const isUnknown = createUnknownTest(tree, root, contents);
  const categories = listCategories(tree, contents, sidebars.navigationFiles);
  const format = script.strings.find(({ keys }) => keys.at(-1) === 'format' && keys.at(-2) === 'markdown')?.value;
  return {
    ...siteRules(root),
    ...sidebars,
    folders: [root, ...contents.map(({ folder }) => folder)],
    configurationFiles: file === '' ? [] : [file],
    isPage: (path) => isMarkdown(path) && contentOf(path) !== undefined,
    isMdx: (path) => isMdxPage(path, { text: tree.read(path), format }),
    addressesOf(path, page) {
      const content = contentOf(path);
      return content === undefined || /(?:^|\/)_/.test(relativeTo(path, content.folder))
        ? []
        : listDocAddresses(content, path, page);
    },
    namesOf: (path, page) => listDocNames(contentOf(path), path, page),
    baseAddress: toAddress(findBase(script.strings, text)).replace(/^\/$/, ''),
    // A page that a language lacks is served in the default language.
    alternatives(address, from) {
      const own = contentOf(from)?.language;
      const named = languages.find((code) => isBelow(`${address}/`, `/${code}`));
      const plain = named === undefined ? address : toAddress(address.slice(named.length + 1));
      return [...(own === undefined ? [] : [toAddress(own, plain)]), address, plain];
    },
    otherFiles(path) {
      const content = contentOf(path);
      const own = content?.language && contents.find((each) => isSameContent(each, content));
      return content && own ? [joinPath(own.folder, relativeTo(path, content.folder)) ?? ''] : [];
    },
    staticFolders: listStatic(script.strings).flatMap((name) => joinPath(root, name) ?? []),
    linkRoots: [root, ...contents.map(({ folder }) => folder)],
    isCaseExact: true,
    // No route ends so: https://docusaurus.io/docs/api/docusaurus-config#onBrokenLinks
    answers: (_path, written) => !/[^.]\/index$/.test(written),
    areAttributesAddresses: true,
    slug: patchesSlugger(tree, root) ? keepCaseSlug : githubSlug,
    aliases: { '@site/': root },
    hasMath: hasMath(text),
    isDynamic: (address) =>
      routes.has(address) ||
      isGenerated(address, contents) ||
      isUnknown(address) ||
      categories.has(address) ||
      // https://docusaurus.io/docs/search
      (address === '/search' && /algolia|search/i.test(text)),
    registeredParts: readRegisteredParts(tree, root),
    redirects,
    redirectFiles: [...new Set([...redirects.map((redirect) => redirect.file), ...host.redirectFiles])],
    redirectCode: ['createRedirects', 'redirects'].some((name) => isMadeByCode(tree.read(file), name))
      ? file
      : undefined,
    languages: listLanguages(tree, {
      root,
      languages: findLanguageFolders(tree, [joinPath(root, 'i18n') ?? ''], locales),
      defaultCode,
    }),
    versions: contents.flatMap(toVersion),
  };
}

const ownFormat = /^---[ \t]*\r?\n(?:(?!---)[^\n]*\n){0,50}?mdx:[ \t]*\r?\n[ \t]+format:[ \t]*["']?(\w+)/;

/** https://docusaurus.io/docs/api/docusaurus-config#markdown, https://docusaurus.io/docs/markdown-features/react#mdx-vs-commonmark */
function isMdxPage(
  path: string,
  { text = '', format = 'mdx' }: { text?: string | undefined; format?: string | undefined },
): boolean {
  const named = ownFormat.exec(text)?.[1] ?? format;
  return named === 'detect' ? path.endsWith('.mdx') : named !== 'md';
}

/** Code of the configuration may use the same name for other addresses, and may name the address in a constant. */
function findBase(strings: readonly Literal[], text: string): string {
  const constant = /\bbaseUrl\s*:\s*(?:`\$\{)?([A-Za-z_]\w{0,50})/.exec(text)?.[1];
  const isBase = ({ keys, value }: Literal) =>
    value.startsWith('/') && (keys.at(-1) === 'baseUrl' || (keys.length === 1 && keys[0] === constant));
  return strings.find(isBase)?.value ?? '';
}

const readOption = (strings: readonly Literal[], key: string) => strings.find(({ keys }) => keys.at(-1) === key)?.value;

const isSameContent = (a: Content, b: Content) =>
  a.language === undefined && a.kind === b.kind && a.id === b.id && a.version === b.version;

const toVersion = ({ kind, version, folder, isLatest, language }: Content): SiteVersion[] =>
  kind === 'docs' && language === undefined && (version !== undefined || !isLatest)
    ? [{ name: version ?? 'next', folder, isLatest }]
    : [];

const listStatic = (strings: readonly Literal[]): string[] => {
  const named = strings.filter(({ keys }) => keys.at(-1) === 'staticDirectories').map(({ value }) => value);
  return named.length > 0 ? named : ['static'];
};

/** Pages that are code: https://docusaurus.io/docs/creating-pages */
const listRoutes = (tree: FileTree, contents: readonly Content[]): Set<string> =>
  new Set(
    contents
      .filter(({ kind }) => kind === 'pages')
      .flatMap(({ folder, address }) =>
        tree
          .below(folder)
          .filter((path) => isScript(path) && !/(?:^|\/)_|\.(?:test|d)\./.test(relativeTo(path, folder)))
          .map((path) => toAddress(address, withoutIndex(relativeTo(path, folder).replace(/\.\w+$/, '')))),
      ),
  );

/** A build makes the folder of a version, or copies one from another repository: none of its addresses is known. */
const createUnknownTest = (tree: FileTree, root: string, contents: readonly Content[]) => {
  const usual = joinPath(root, 'docs');
  const nearestFirst = contents.toSorted((a, b) => b.address.length - a.address.length);
  return (address: string): boolean => {
    const content = nearestFirst.find((each) => each.address === '/' || isBelow(`${address}/`, each.address));
    const alike = nearestFirst.filter((each) => each.address === content?.address);
    return alike.some(
      ({ kind, folder, version }) =>
        kind === 'docs' && !tree.hasFolder(folder) && (version !== undefined || folder !== usual),
    );
  };
};

const categorySlug = /\bslug["']?[ \t]*:[ \t]*["']?([^"'\n,}\s]{1,200})/g;

/** Pages that list the pages of a category: https://docusaurus.io/docs/sidebar/items#generated-index-page */
const listCategories = (tree: FileTree, contents: readonly Content[], sidebarFiles: readonly string[]): Set<string> => {
  const files = [...tree.named(['_category_.json', '_category_.yml', '_category_.yaml']), ...sidebarFiles];
  const slugs = files.flatMap((file) =>
    Array.from((tree.read(file) ?? '').matchAll(categorySlug), ([, slug = '']) => slug),
  );
  const addresses = new Set(contents.filter(({ kind }) => kind === 'docs').map(({ address }) => address));
  return new Set([...addresses].flatMap((address) => slugs.map((each) => toAddress(address, each))));
};

/** Lists of posts, authors and tags, and pages of categories. */
const isGenerated = (address: string, contents: readonly Content[]): boolean =>
  contents.some(({ kind, address: base }) => {
    if (kind === 'pages' || !isBelow(`${address}/`, base === '/' ? '' : base)) return false;
    const rest = address.slice(base === '/' ? 0 : base.length);
    return kind === 'blog'
      ? /^(?:|\/(?:archive|authors|tags|page)(?:\/.*)?|\/(?:rss\.xml|atom\.xml|feed\.json))$/.test(rest)
      : /^\/(?:category|tags)(?:\/.*)?$/.test(rest);
  });

/** A patch of Docusaurus' loader is the only sign: the site's headings keep their case. */
const patchesSlugger = (tree: FileTree, root: string) =>
  [...new Set([root, ''])].some((folder) =>
    tree.below(joinPath(folder, 'patches') ?? '').some((path) => path.includes('@docusaurus+mdx-loader')),
  );

const version = /^\d+(?:\.\d+)*$/;

const keepCaseSlug: Slug = (text) => slug(version.test(text) ? text.replaceAll('.', '-') : text, true);

const importedPart = /^import\s+(\w+)\s+from\s+['"]@site\/([^'"]+\.mdx?)['"]/gm;

const componentFiles = ['js', 'jsx', 'ts', 'tsx'].flatMap((extension) => [
  `src/theme/MDXComponents.${extension}`,
  `src/theme/MDXComponents/index.${extension}`,
]);

/** The pages that components of all pages show. https://docusaurus.io/docs/markdown-features/react#mdx-component-scope */
function readRegisteredParts(tree: FileTree, root: string): Map<string, string[]> {
  const texts = componentFiles.flatMap((file) => tree.read(joinPath(root, file) ?? '') ?? []);
  return new Map(
    texts.flatMap((text) =>
      Array.from(
        text.matchAll(importedPart),
        ([, name = '', path = '']) => [name, [joinPath(root, path) ?? path]] as const,
      ),
    ),
  );
}
