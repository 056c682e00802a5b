import { type FileTree, folderOf } from '../tree.ts';

const script = /\.sh$|(?:^|\/)(?:Makefile|package\.json)$|^\.github\/workflows\/[^/]+\.ya?ml$/;

/** Whether a script of the repository names a folder that is not there, above the path: it may bring pages from elsewhere. */
export function createScriptFolderTest(tree: FileTree): (path: string) => boolean {
  let text: string | undefined;
  const known = new Map<string, boolean>();
  const isNamed = (folder: string): boolean => {
    if (!folder.includes('/') || tree.hasFolder(folder)) return false;
    text ??= [...tree.paths]
      .filter((path) => script.test(path))
      .map((path) => tree.read(path) ?? '')
      .join('\n');
    const found = known.get(folder) ?? (text.includes(folder) || isNamed(folderOf(folder)));
    known.set(folder, found);
    return found;
  };
  return (path) => isNamed(folderOf(path));
}
