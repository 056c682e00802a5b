import { createIgnoreTest } from '../../formats/ignore-patterns.ts';
import { type Literal, readScript, type Script } from '../../formats/javascript.ts';
import { isMarkdown } from '../../page-extensions.ts';
import { vueSlug } from '../../pages/slugs.ts';
import { type FileTree, folderOf, isBelow, joinPath, nameOf, relativeTo } from '../../tree.ts';
import { pageAddress, toAddress, withoutExtension } from '../addresses.ts';
import { type Framework, markedBy, words } from '../framework.ts';
import { listLanguages, listLocales } from '../languages.ts';
import { siteRules } from '../plain.ts';
import { readHostRedirects } from '../redirects/host-redirects.ts';
import { isScript, scriptNames, toEntry } from '../scripts.ts';
import type { NavigationEntry, SiteRules } from '../site-rules.ts';
import { vitepressCode } from './vitepress-edits.ts';

/** https://vitepress.dev/reference/site-config */
export const vitepress: Framework = {
  name: 'VitePress',
  hasExactAddresses: true,
  markers: markedBy('.vitepress/'),
  sites: { open: (tree, root) => [openVitepress(tree, root)] },
  code: vitepressCode,
  dialect: {
    vue: true,
    vueBlocks: true,
    copiesFiles: true,
    layouts: ['doc', 'home', 'page'],
    components: ['Badge', 'ClientOnly', 'Content'],
    blocks: 'colons',
  },
  built: /^\.vitepress\/(?:cache|dist)\//,
};

function openVitepress(tree: FileTree, root: string): SiteRules {
  const settings = joinPath(root, '.vitepress') ?? '';
  const files = listScripts(tree, root, settings);
  const scripts = files.map((file) => ({ file, script: readScript(tree.read(file)) }));
  const main = scripts.find(({ file }) => isBelow(file, settings))?.script ?? readScript('');
  const folder = joinPath(root, readOption(main, 'srcDir') ?? '.') ?? root;
  const rewrites = main.strings
    .filter(({ keys }) => keys.at(-2) === 'rewrites')
    .map(({ keys, value }) => [keys.at(-1) ?? '', value] as const);
  const isExcluded = createIgnoreTest(
    main.strings
      .filter(({ keys }) => keys.at(-1) === 'srcExclude')
      .map(({ value }) => value)
      .join('\n'),
  );
  const routes = tree.below(folder).filter((path) => /\[[^[\]/]+\]/.test(path) && isMarkdown(path));
  const isGenerated = files.some((file) => makesEntries.test(tree.read(file) ?? ''));
  const locales = listLocales(main);
  const entries = scripts.flatMap(({ file, script }) => listSidebarEntries(script, file));
  const rootFolder = findRootFolder(folder, rewrites) ?? folder;
  const prefixes = scripts.flatMap(({ file, script }) => {
    const own = locales.flatMap(({ key }) => joinPath(folder, key) ?? []).filter((each) => isBelow(file, each));
    return listPrefixes(script, file, [...own, folder, rootFolder]);
  });
  const isIndex = (path: string) => /(?:^|\/)index\.md$/.test(rewrite(relativeTo(path, folder), rewrites));
  return {
    ...siteRules(root, folder),
    folders: [...new Set([folder, root])],
    configurationFiles: files,
    isPage: (path) => isBelow(path, folder) && !isBelow(path, settings) && !isExcluded(relativeTo(path, folder)),
    addressesOf(path) {
      const below = relativeTo(path, folder);
      // A `README` is a page like others.
      return [...new Set([rewrite(below, rewrites), below])].map((each) =>
        toAddress(withoutExtension(each).replace(/(^|\/)index$/, '$1')),
      );
    },
    baseAddress: toAddress(readOption(main, 'base') ?? '').replace(/^\/$/, ''),
    staticFolders: [joinPath(folder, 'public') ?? ''],
    // https://github.com/vuejs/vitepress/blob/main/src/node/markdownToVue.ts
    answers(path, written, isRaw) {
      const isFolder = /(?:^|\/)(?:(?:index(?:\.(?:html|md))?)?|\.{1,2})$/.test(written);
      return isIndex(path) === isFolder || (isIndex(path) && isRaw);
    },
    basesOf: (own, path) => [isIndex(path) ? own : folderOf(own)],
    isCaseExact: true,
    areLinksOfFolder: true,
    isFile: (address) => isKnownFile(address),
    // https://vitepress.dev/reference/site-config#ignoredeadlinks
    refuses: (target) => /^https?:\/\/localhost:/.test(target) && !hasOption(main, 'ignoreDeadLinks'),
    slug: vueSlug,
    areSlugsLoose: files.some((file) => /\bslugify\b/.test(tree.read(file) ?? '')),
    isDynamic: (address) => routes.some((path) => matchesRoute(address, pageAddress(relativeTo(path, folder)))),
    navigation: [...entries, ...prefixes],
    navigationFiles: [...new Set(entries.map(({ file }) => file))],
    navigationFile: entries[0]?.file,
    mustBeListed: (path, { frontMatter: { data } }) =>
      !isGenerated &&
      !/^(?:home|page|false)$/.test(String(data.layout)) &&
      data.home !== true &&
      data.sidebar !== false &&
      !nameOf(path).startsWith('['),
    ...readHostRedirects(tree, root),
    languages: listLanguages(tree, {
      root,
      languages: locales.map(({ key, code }) => ({
        code,
        folder: key === 'root' ? rootFolder : joinPath(folder, key),
      })),
      defaultCode: locales.find(({ key }) => key === 'root')?.code,
    }),
  };
}

/** The configuration, and the files that it is usually divided into: `.vitepress/config/fr.ts`, `fr/config.ts`, `sidebar.ts`. */
function listScripts(tree: FileTree, root: string, settings: string): string[] {
  const own = tree
    .below(settings)
    .filter((path) => isScript(path) && !/\/(?:theme|cache|dist|components)\//.test(relativeTo(path, root)));
  const beside = tree
    .named(scriptNames('config', 'sidebar', 'sidebars', 'nav', 'navigation'))
    .filter((path) => isBelow(path, root) && !isBelow(path, settings) && !/(?:^|\/)src\//.test(relativeTo(path, root)));
  return [...own.toSorted(byDepth), ...beside];
}

/** Code makes a sidebar of the files of a folder, or entries of other data. */
const makesEntries =
  /\b(?:fast-glob|tinyglobby|globby|globSync|readdir(?:Sync)?|vitepress-sidebar)\b|['"]glob['"]|\btext:[^{}]{0,200}\blink: ?`\/[^`\n]{0,200}\$\{/;

/** `en/:rest*` → `:rest*`: the pages of the default language have a folder, but no name in addresses. */
const findRootFolder = (folder: string, rewrites: readonly (readonly [string, string])[]) => {
  const prefix = rewrites.find(([from, to]) => to.startsWith(':') && !from.startsWith(':'))?.[0].split('/:', 1)[0];
  return joinPath(folder, prefix ?? '.');
};

const byDepth = (a: string, b: string) => a.split('/').length - b.split('/').length;

/** In the object of the configuration itself: plugins have options of the same names. */
const readOption = ({ strings }: Script, key: string): Literal['value'] | undefined =>
  strings.find(({ keys, objects }) => keys.at(-1) === key && objects.length <= 1)?.value;

/** `en/:rest*` → `:rest*`, `packages/:pkg/src/:file` → `:pkg/:file`: https://vitepress.dev/guide/routing#route-rewrites */
function rewrite(path: string, rewrites: readonly (readonly [from: string, to: string])[]): string {
  for (const [from, to] of rewrites) {
    if (from === path) return to;
    const names = path.split('/');
    const values = new Map<string, string>();
    const matches = from.split('/').every((part, index, parts) => {
      const name = /^:(\w+)(?:\(.*\))?([*+]?)$/.exec(part);
      const isLast = index === parts.length - 1;
      if (name === null) return part === names[index];
      const value = isLast && name[2] !== '' ? names.slice(index).join('/') : names[index];
      values.set(name[1] ?? '', value ?? '');
      return value !== undefined && (!isLast || name[2] !== '' || names.length === parts.length);
    });
    if (matches && values.size > 0)
      return to.replace(/:(\w+)(?:\([^()]*\))?[*+]?/g, (_, name: string) => values.get(name) ?? '');
  }
  return path;
}

const hasOption = ({ names }: Script, key: string): boolean => names.some(({ value }) => value === key);

/** `treatAsHtml` of https://github.com/vuejs/vitepress/blob/main/src/shared/shared.ts: a link with another ending leads to a page. */
const isKnownFile = (address: string): boolean => {
  const ending = /\.([^./]+)$/.exec(address)?.[1]?.toLowerCase();
  return ending === undefined || ending === 'html' || ending === 'md' || knownEndings.has(ending);
};

const knownEndings = new Set(
  words(`
    3g2 3gp aac ai apng au avif bin bmp cer class conf crl css csv dll doc eps epub exe gif gz ics ief jar jpe jpeg jpg js
    json jsonld m4a man mid midi mjs mov mp2 mp3 mp4 mpe mpeg mpg mpp oga ogg ogv ogx opus otf p10 p7c p7m p7s pdf png ps
    qt roff rtf rtx ser svg t tif tiff tr ts tsv ttf txt vtt wav weba webm webp woff woff2 xhtml xml yaml yml zip`),
);

/** `[pkg]` stands for one name. */
const matchesRoute = (address: string, route: string) => {
  const [asked, names] = [address.split('/'), route.split('/')];
  return asked.length === names.length && names.every((name, index) => name.includes('[') || name === asked[index]);
};

/**
 * The links of a sidebar or a menu. A `base` of an object around a link is joined in front of it, and may end inside of a file's name; where
 * the base comes from the caller of a function, any base of the file may. https://vitepress.dev/reference/default-theme-sidebar
 */
function listSidebarEntries({ strings }: Script, file: string): NavigationEntry[] {
  const withText = new Set(strings.filter(({ keys }) => keys.at(-1) === 'text').map(({ objects }) => objects.at(-1)));
  const bases = strings.filter(({ keys }) => keys.at(-1) === 'base' && keys.length > 1);
  return strings
    .filter(({ keys, objects }) => keys.at(-1) === 'link' && withText.has(objects.at(-1)))
    .filter(({ value }) => value !== '' && !/^[a-z][a-z\d+.-]*:|^\/\//i.test(value))
    .map((link) => {
      const path = link.value.replace(/[?#].*/, '');
      const means = listMeanings(path, orderBases(link, bases)).map((each) => pageAddress(each.replace(/\.html$/, '')));
      return toEntry({ ...link, value: path, end: link.end - (link.value.length - path.length) }, { file, means });
    });
}

/** Folders of pages by their addresses: which sidebar they have, what is in front of its links, which menu is marked on them. */
const listPrefixes = ({ strings, names }: Script, file: string, folders: readonly string[]): NavigationEntry[] =>
  [...names, ...strings.filter(({ keys }) => /^(?:base|activeMatch)$/.test(keys.at(-1) ?? '') && keys.length > 1)]
    .filter(({ value }) => /^\/[\w./-]+\/$/.test(value))
    .map((each) => toEntry(each, { file, means: folders.map((folder) => `${joinPath(folder, each.value)}/`) }));

const listMeanings = (path: string, bases: readonly string[]): string[] =>
  path.startsWith('/') ? [path] : [...bases.map((base) => base + path), path];

/** The nearest around the link first. */
const orderBases = ({ objects }: Literal, bases: readonly Literal[]): string[] => {
  const around = bases.filter((base) => objects.includes(base.objects.at(-1) ?? -1));
  const others = bases.filter((base) => !around.includes(base));
  return [...around.toReversed(), ...others].map(({ value }) => value);
};
