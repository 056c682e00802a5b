import { readScript } from '../formats/javascript.ts';
import { elementsOf, type JsonNode, locateString, membersOf, parseJsonTree, stringOf } from '../formats/json.ts';
import { type FileTree, folderOf, isBelow, joinPath, nameOf, relativeTo } from '../tree.ts';
import { pageAddress, toAddress } from './addresses.ts';
import { wholeFile } from './edits/data-files.ts';
import { navigationRules } from './edits/rules.ts';
import { type Framework, markedBy } from './framework.ts';
import { listLanguages } from './languages.ts';
import { siteRules } from './plain.ts';
import { readHostRedirects } from './redirects/host-redirects.ts';
import { scriptNames } from './scripts.ts';
import type { NavigationEntry, SiteRules } from './site-rules.ts';

const entries = {
  ...navigationRules,
  keys: [...navigationRules.keys, 'text', 'overviewHeaders', 'context', 'dashed'],
  texts: [...navigationRules.texts, 'text'],
};

/** https://rspress.rs/api/config/config-basic */
export const rspress: Framework = {
  name: 'Rspress',
  hasExactAddresses: true,
  markers: [
    ...markedBy(...scriptNames('rspress.config')),
    // https://github.com/rstackjs/rstack: one configuration for all tools.
    ...scriptNames('rstack.config').map((path) => ({ path, contains: /\bdefine\.doc\(/ })),
  ],
  sites: { open: (tree, root) => [openRspress(tree, root)] },
  data: [wholeFile(/(?:^|\/)_(?:meta|nav)\.json$/, 'json', entries)],
  dialect: { isMdx: 'maybe', copiesFiles: true, mdx: { headingIds: true, comments: true }, components: [] },
  built: /^doc_build\//,
};

/** https://rspress.rs/guide/basic/auto-nav-sidebar */
function openRspress(tree: FileTree, root: string): SiteRules {
  const file =
    scriptNames('rspress.config', 'rstack.config')
      .map((name) => joinPath(root, name) ?? '')
      .find((path) => tree.paths.has(path)) ?? '';
  const { strings } = readScript(tree.read(file));
  const option = (name: string) => strings.find(({ keys }) => keys.length === 1 && keys[0] === name)?.value;
  // `root` is mostly made by code, from the name of the folder.
  const named = /\broot\s*:[^,\n]{0,60}["']\.{0,2}\/?([\w-]+)["']/.exec(tree.read(file) ?? '')?.[1];
  const folder = joinPath(root, named ?? 'docs') ?? root;
  const lang = option('lang');
  const codes = strings
    .filter(({ keys }) => keys.at(-1) === 'lang' && keys.at(-2) === 'locales')
    .map(({ value }) => value);
  const inFolder = codes.filter((code) => tree.hasFolder(joinPath(folder, code) ?? ''));
  const isDefault = (path: string) => lang !== undefined && isBelow(path, lang);
  const toBelow = (path: string) => {
    const below = relativeTo(path, folder);
    return isDefault(below) && lang !== undefined ? relativeTo(below, lang) : below;
  };
  const metas = tree.named(['_meta.json']).filter((path) => isBelow(path, folder));
  const listed = new Set(metas.map(folderOf));
  const hasRoutes = /\b(?:addPages|pluginApiDocgen|pluginTypeDoc|multiVersion)\b/.test(tree.read(file) ?? '');
  const languageOf = (path: string) => inFolder.find((code) => isBelow(relativeTo(path, folder), code));
  return {
    ...siteRules(root, folder),
    configurationFiles: [file],
    isMdx: (path) => path.endsWith('.mdx'),
    // https://rspress.rs/guide/basic/conventional-route: a name that begins with `_` is a part.
    addressesOf: (path) => (/(?:^|\/)_/.test(relativeTo(path, folder)) ? [] : [pageAddress(toBelow(path))]),
    baseAddress: toAddress(option('base') ?? '').replace(/^\/$/, ''),
    staticFolders: [joinPath(folder, 'public') ?? ''],
    linkRoots: [folder, ...(lang === undefined ? [] : [joinPath(folder, lang) ?? ''])],
    alternatives(address, from) {
      const code = languageOf(from);
      const own = code === undefined || code === lang ? [] : [toAddress(code, address)];
      const bare =
        lang !== undefined && isBelow(`${address}/`, `/${lang}`) ? [address.slice(lang.length + 1) || '/'] : [];
      return [...own, address, ...bare];
    },
    isDynamic: () => hasRoutes,
    navigation: metas.flatMap((meta) => listMetaEntries(tree, meta)),
    navigationFiles: metas,
    navigationFile: metas[0],
    mustBeListed: (path) => listed.has(folderOf(path)) && !/^(?:_|index\.|404\.)/.test(nameOf(path)),
    ...readHostRedirects(tree, root),
    languages: listLanguages(tree, {
      root,
      languages: inFolder.map((code) => ({ code, folder: joinPath(folder, code) })),
      defaultCode: lang,
    }),
  };
}

/** Names of files and folders beside it, and what has a type. */
function listMetaEntries(tree: FileTree, file: string): NavigationEntry[] {
  const { root, lineOf } = parseJsonTree(tree.read(file) ?? '', { isLenient: true });
  return elementsOf(root).flatMap((item): NavigationEntry[] => {
    const members = membersOf(item);
    const type = stringOf(members.get('type')) ?? 'file';
    const node: JsonNode | undefined = stringOf(item) === undefined ? members.get('name') : item;
    const name = stringOf(node);
    if (node === undefined || name === undefined || !/^(?:file|dir|dir-section-header)$/.test(type)) return [];
    const target = joinPath(folderOf(file), name) ?? name;
    const means = ['', '.mdx', '.md', '/index.mdx', '/index.md', '/'].map((ending) => target + ending);
    return [{ target, means, file, line: lineOf(node.offset), ...locateString(node), isCode: false }];
  });
}
