import { type FileTree, folderOf } from '../tree.ts';

/** The folders that hold a file with one of these names. */
export const findFolders = (tree: FileTree, names: Iterable<string>): string[] => [
  ...new Set(tree.named(names).map(folderOf)),
];
