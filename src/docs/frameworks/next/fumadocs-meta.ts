import { elementsOf, locateString, membersOf, parseJsonTree, stringOf } from '../../formats/json.ts';
import { type FileTree, folderOf, isBelow, joinPath, nameOf } from '../../tree.ts';
import { withoutExtension } from '../addresses.ts';
import type { NavigationEntry, SiteRules } from '../site-rules.ts';

type MetaRules = Pick<
  SiteRules,
  'navigation' | 'navigationFiles' | 'navigationFile' | 'navigationFaults' | 'mustBeListed'
>;

/** The `meta.json` of folders. https://fumadocs.dev/docs/page-conventions#meta */
export function listMetaPages(tree: FileTree, folders: readonly string[]): MetaRules {
  const files = tree.named(['meta.json']).filter((path) => folders.some((folder) => isBelow(path, folder)));
  const read = files.map((file) => ({ file, ...readMeta(tree, file) }));
  const closed = read.filter(({ isClosed }) => isClosed);
  return {
    navigation: read.flatMap(({ navigation }) => navigation),
    navigationFiles: files,
    navigationFile: files.toSorted((a, b) => a.length - b.length)[0],
    navigationFaults: read.flatMap(({ file, fault }) => (fault ? [{ file, ...fault }] : [])),
    // Only a list without the rest of its folder hides a page, or a folder with all of its pages.
    mustBeListed: (path) =>
      !/^index$/.test(withoutExtension(nameOf(path))) &&
      !/\.\w+\.mdx?$/.test(path) &&
      closed.some(({ file, names }) => isBelow(path, folderOf(file)) && !names.some((name) => covers(name, path))),
  };
}

const covers = (name: string, path: string): boolean => withoutExtension(path) === name || isBelow(path, name);

function readMeta(tree: FileTree, file: string) {
  const { root, lineOf, fault } = parseJsonTree(tree.read(file) ?? '', { isLenient: true });
  const pages = elementsOf(membersOf(root).get('pages'));
  const items = pages.flatMap((node) => {
    const value = stringOf(node);
    return value === undefined ? [] : [{ value, node }];
  });
  const navigation = items.flatMap(({ value, node }): NavigationEntry[] => {
    const [, mark = '', name = ''] = /^(\.\.\.|!|external:)?(.*)$/.exec(value) ?? [];
    // A group without a folder is filled by the build.
    if (name === '' || name.startsWith('(') || mark === 'external:' || /^---|^\[|^z\.\.\.a$|:\/\//.test(name))
      return [];
    const path = joinPath(folderOf(file), name) ?? name;
    const { start, end } = locateString(node);
    const means = [...['mdx', 'md'].map((extension) => `${path}.${extension}`), `${path}/index.mdx`, `${path}/`];
    return [{ target: name, means, file, line: lineOf(node.offset), start: start + mark.length, end, isCode: false }];
  });
  return {
    navigation,
    names: items.flatMap(({ value }) => joinPath(folderOf(file), value.replace(/^(?:\.\.\.|!)/, '')) ?? []),
    fault,
    isClosed: membersOf(root).has('pages') && !items.some(({ value }) => value === '...' || value === 'z...a'),
  };
}
