import { githubSlug } from '../pages/slugs.ts';
import type { Framework, NavigationEntry } from '../sites/framework.ts';
import { type FileTree, folderOf, isBelow, joinPath } from '../tree.ts';
import { type JsonNode, parseJsonTree } from './json.ts';
import { findFolders, plainRules, withoutExtension, withoutIndex } from './plain.ts';
import { createRedirectTest } from './redirects.ts';

const configuration = /(?:^|\/)(?:docs|mint)\.json$/;
const maxFiles = 50;

/** https://www.mintlify.com/docs/organize/settings */
export const mintlify: Framework = {
  name: 'Mintlify',
  findRoots: (tree) =>
    findFolders(tree.paths, configuration).filter((folder) => {
      const file = findConfiguration(tree, folder);
      return file !== undefined && /"navigation"\s*:/.test(tree.read(file) ?? '');
    }),
  open(tree, root) {
    const file = findConfiguration(tree, root);
    const read = file === undefined ? { entries: [], sources: [], faults: [] } : readConfiguration(tree, root, file);
    return {
      ...plainRules(root),
      isMdx: () => true,
      addressesOf: (path) => (isPart(path, root) ? [] : [toAddress(path, root)]),
      staticFolders: [root],
      relativeLinks: 'both',
      areAbsoluteLinksChecked: true,
      slug: githubSlug,
      areSlugsLoose: true,
      isRedirected: createRedirectTest(read.sources),
      navigation: read.entries,
      navigationFile: file,
      navigationFaults: read.faults,
      mustBeListed: (path) => !isPart(path, root) && !isForAuthors(path),
    };
  },
};

const findConfiguration = (tree: FileTree, folder: string) =>
  ['docs.json', 'mint.json']
    .map((name) => joinPath(folder, name))
    .find((path) => path !== undefined && tree.paths.has(path));

const isPart = (path: string, root: string) =>
  isBelow(path, root === '' ? 'snippets' : `${root}/snippets`) || /(?:^|\/)_[^/]*$/.test(path);

/** Mintlify publishes none of these. https://www.mintlify.com/docs/organize/mintignore */
const isForAuthors = (path: string) =>
  /(?:^|\/)(?:\.[^/]+\/|(?:AGENTS|CLAUDE|README|LICENSE|CHANGELOG|CONTRIBUTING)\.md$)/.test(path);

const toAddress = (path: string, root: string) => {
  const below = root === '' ? path : path.slice(root.length + 1);
  const address = withoutIndex(withoutExtension(below));
  return address === '' ? '/' : `/${address}`;
};

/** Follows `$ref` to files of the repository, each once. */
function readConfiguration(tree: FileTree, root: string, file: string) {
  const entries: NavigationEntry[] = [];
  const sources: string[] = [];
  const faults: { file: string; line: number; message: string }[] = [];
  const seen = new Set<string>();

  function follow(path: string, inNavigation: boolean): void {
    if (seen.has(path) || seen.size >= maxFiles) return;
    seen.add(path);
    const parsed = parseJsonTree(tree.read(path) ?? '');
    if (parsed.fault) faults.push({ file: path, ...parsed.fault });
    if (parsed.root) visit(parsed.root, { path, lineOf: parsed.lineOf, key: '', inNavigation });
  }

  function visit(
    node: JsonNode,
    place: { path: string; lineOf: (at: number) => number; key: string; inNavigation: boolean },
  ): void {
    const { path, key, inNavigation } = place;
    if (node.type === 'string') {
      const isEntry = inNavigation && (key === 'pages' || key === 'root');
      const [start, end] = [node.offset + 1, node.offset + node.length - 1];
      if (isEntry)
        entries.push({ target: String(node.value), file: path, line: place.lineOf(node.offset), start, end });
      if (key === 'source') sources.push(String(node.value));
      const target = key === '$ref' ? joinPath(folderOf(path), String(node.value)) : undefined;
      if (target !== undefined && isBelow(target, root)) follow(target, inNavigation);
      return;
    }
    for (const child of node.children ?? []) {
      const [name, value] = child.type === 'property' ? (child.children ?? []) : [undefined, child];
      const childKey = name === undefined ? key : String(name.value);
      if (value) visit(value, { ...place, key: childKey, inNavigation: inNavigation || childKey === 'navigation' });
    }
  }

  follow(file, false);
  return { entries, sources, faults };
}
