import { type Literal, readJsonScript, readScript } from '../../formats/javascript.ts';
import { isMarkdown } from '../../page-extensions.ts';
import { type FileTree, folderOf, joinPath, nameOf } from '../../tree.ts';
import { toAddress, withoutIndex } from '../addresses.ts';
import { toEntry } from '../scripts.ts';
import type { NavigationEntry } from '../site-rules.ts';

/** Of an entry's options: https://nextra.site/docs/file-conventions/meta-file */
const options = [
  ...['title', 'type', 'href', 'items', 'display', 'theme', 'newWindow', 'breadcrumb', 'timestamp', 'toc', 'layout'],
  ...['typesetting', 'copyPage', 'collapsed', 'sidebar', 'footer', 'navbar', 'pagination'],
];

/** The entries of `_meta` files: names of pages and folders beside each, and a whole tree of them in `_meta.global`. */
export function listMetaEntries(
  tree: FileTree,
  { folders, addressOf }: { folders: readonly string[]; addressOf(path: string): string | undefined },
): { navigation: NavigationEntry[]; files: string[] } {
  const files = folders.flatMap((folder) =>
    tree.below(folder).filter((path) => /^_meta(?:\.[\w-]+)?\.(?:json|[cm]?[jt]sx?)$/.test(nameOf(path))),
  );
  // A global file may keep a part of its tree in a variable: then only a page's last name is known.
  const byName = Map.groupBy(
    folders.flatMap((folder) =>
      tree
        .below(folder)
        .filter(isMarkdown)
        .flatMap((path) => addressOf(path) ?? []),
    ),
    nameOf,
  );
  return { files, navigation: files.flatMap((file) => readMeta(tree, file, { addressOf, byName })) };
}

function readMeta(
  tree: FileTree,
  file: string,
  { addressOf, byName }: { addressOf(path: string): string | undefined; byName: ReadonlyMap<string, string[]> },
): NavigationEntry[] {
  const isJson = file.endsWith('.json');
  const { names, strings } = isJson ? readJsonScript(tree.read(file)) : readScript(tree.read(file));
  const isGlobal = nameOf(file).startsWith('_meta.global.');
  const isApp = /(?:^|\/)app(?:\/|$)/.test(folderOf(file));
  const own = addressOf(joinPath(folderOf(file), isApp ? 'page.mdx' : 'index.mdx') ?? '') ?? '/';
  const isSeparator = ({ value, keys }: Literal) =>
    strings.some(
      (text) =>
        text.keys.at(-2) === value &&
        text.keys.length === keys.length + 2 &&
        /^(?:href|type)$/.test(text.keys.at(-1) ?? ''),
    );
  return names
    .filter(
      (name) =>
        !(isGlobal && name.value === 'index') &&
        !options.includes(name.value) &&
        !/^_\d*$|^\*$/.test(name.value) &&
        !isSeparator(name),
    )
    .filter(({ objects, keys }) => (isGlobal ? objects.length > 0 && !keys.includes('theme') : objects.length === 1))
    .map((name): NavigationEntry => {
      const above = isGlobal ? name.keys.filter((key) => !options.includes(key)) : [];
      const means = [
        toAddress(own, ...above, withoutIndex(name.value)),
        ...(isGlobal ? (byName.get(name.value) ?? []) : []),
        `${joinPath(folderOf(file), name.value) ?? ''}/`,
      ];
      return toEntry(name, { file, means, isCode: !isJson });
    });
}
