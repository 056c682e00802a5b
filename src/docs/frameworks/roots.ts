import { type FileTree, folderOf } from '../tree.ts';

export const findFolders = (tree: FileTree, names: Iterable<string>): string[] => [
  ...new Set(tree.named(names).map(folderOf)),
];
