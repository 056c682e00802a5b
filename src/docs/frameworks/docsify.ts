import { createLineOf } from '../line-of.ts';
import { readPage } from '../pages/read-page.ts';
import { type FileTree, folderOf, isBelow, joinPath, nameOf, relativeTo } from '../tree.ts';
import { pageAddress } from './addresses.ts';
import type { Framework } from './framework.ts';
import { siteRules } from './plain.ts';
import type { NavigationEntry, SiteRules } from './site-rules.ts';

/** https://docsify.js.org/#/quickstart */
export const docsify: Framework = {
  name: 'Docsify',
  markers: [{ path: 'index.html', contains: /docsify/i }],
  sites: { open: (tree, root) => [openDocsify(tree, root)] },
  dialect: { vue: 'optional', templates: [{ language: 'docsify' }] },
};

const external = /^(?:[a-z][a-z\d+.-]*:|\/\/)/i;
const alias = /"([^"\n\\]{1,200})"\s{0,9}:|'([^'\n\\]{1,200})'\s{0,9}:/g;
/** What a regular expression has besides letters. */
const pattern = /[.*+?()[\]{}|^$\\]/;

/** A site without a build: the browser loads the files. https://docsify.js.org/#/configuration */
function openDocsify(tree: FileTree, root: string): SiteRules {
  const file = joinPath(root, 'index.html') ?? '';
  const text = tree.read(file) ?? '';
  const base = /\bbasePath\s*:\s*["'](?![a-z]+:)([^"'\n]+)["']/i.exec(text)?.[1] ?? '';
  const folder = joinPath(root, base) ?? root;
  const sidebars = tree.named(['_sidebar.md']).filter((path) => isBelow(path, folder));
  const main = joinPath(folder, '_sidebar.md');
  const aliases = Array.from(
    /\balias\s*:\s*\{([^{}]*)\}/.exec(text)?.[1]?.matchAll(alias) ?? [],
    ([, double, single = '']) => double ?? single,
  );
  const toFiles = (path: string) => [path, `${path}.md`, `${path}/README.md`.replace(/^\//, '')];

  function listEntries(sidebar: string): NavigationEntry[] {
    const source = tree.read(sidebar) ?? '';
    const lineOf = createLineOf(source);
    return readPage(source, { isMdx: false }).links.flatMap(({ target, start, kind }): NavigationEntry[] => {
      const path = target.replace(/^#(?=\/)/, '').replace(/[?#].*/, '');
      if (kind === 'image' || path === '' || external.test(path)) return [];
      const bases = path.startsWith('/') ? [folder] : [folder, folderOf(sidebar)];
      const found = bases.flatMap((each) => joinPath(each, path) ?? []);
      const begin = start + target.indexOf(path);
      const place = { file: sidebar, line: lineOf(begin), start: begin, end: begin + path.length };
      const means = [...found.flatMap(toFiles), ...found.map((each) => `/${relativeTo(each, folder)}`)];
      return [{ target: path, means, ...place, isCode: false }];
    });
  }

  return {
    ...siteRules(root, folder),
    configurationFiles: [file],
    addressesOf: (path) =>
      /^_(?:sidebar|navbar|coverpage)\.md$/.test(nameOf(path)) ? [] : [pageAddress(relativeTo(path, folder))],
    areAttributesChecked: false,
    areSlugsLoose: true,
    findMeaning({ target }) {
      if (!target.startsWith('#/')) return undefined;
      const path = joinPath(folder, target.slice(2).replace(/[?#].*/, ''));
      return path === undefined ? {} : { paths: toFiles(path), isOpen: aliases.length > 0 };
    },
    isDynamic: (address) => aliases.some((key) => matchesAlias(key, address.replace(/\.md$/, ''))),
    navigation: sidebars.flatMap(listEntries),
    navigationFiles: sidebars,
    navigationFile: main !== undefined && tree.paths.has(main) && /\bloadSidebar\b/.test(text) ? main : undefined,
    mustBeListed: (path) => !/^(?:_.*|README\.md)$/i.test(nameOf(path)) && !/(?:^|\/)_/.test(relativeTo(path, folder)),
  };
}

/** By the plain text at its start or its end: an alias is a regular expression, which is not run. */
function matchesAlias(key: string, address: string): boolean {
  const parts = key.split(pattern);
  const [head = '', tail = ''] = [parts[0], parts.at(-1)];
  if (parts.length === 1) return address === key;
  return (head.length > 1 && address.startsWith(head)) || (tail.length > 1 && address.endsWith(tail));
}
