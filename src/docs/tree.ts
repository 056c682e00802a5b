import { createIgnoreFilesTest } from './formats/ignore-patterns.ts';
import { isRead } from './page-extensions.ts';

interface TreeFiles {
  paths: ReadonlySet<string>;
  /** Undefined for a file that is missing, too large, or of a kind that the checks do not read. */
  read(path: string): string | undefined;
  /** The same for two files only if they have the same text. */
  identify?(path: string): unknown;
}

/** A repository's files at one commit. Paths are relative, with `/`. */
export interface FileTree extends Required<TreeFiles> {
  /** Whether a file lies below the folder. The root is empty. */
  hasFolder(path: string): boolean;
  /** The paths below a folder, at any depth. */
  below(folder: string): string[];
  /** The paths whose last part is one of these names, outside of installed packages. */
  named(names: Iterable<string>): string[];
  /** Whether git ignores a path that is not there: a build may make it. */
  isIgnored(path: string): boolean;
}

interface Folder {
  files: string[];
  folders: string[];
}

/** The indexes of names and folders are made once, at their first use. */
export function createTree({ paths, read, identify = read }: TreeFiles): FileTree {
  let folders: Map<string, Folder> | undefined;
  let byName: Map<string, string[]> | undefined;
  let isIgnored: ((path: string) => boolean) | undefined;
  const listAll = () => {
    folders ??= listFolders(paths);
    return folders;
  };
  const below = (folder: string): string[] => {
    const found = listAll().get(folder);
    return found === undefined ? [] : [...found.files, ...found.folders.flatMap(below)];
  };
  const named = (names: Iterable<string>): string[] => {
    byName ??= Map.groupBy([...paths].filter(isOwn), nameOf);
    return [...names].flatMap((name) => byName?.get(name) ?? []);
  };
  const hasFolder = (path: string) => listAll().has(path);
  return {
    paths,
    read: (path) => (isRead(path) ? read(path) : undefined),
    identify,
    below,
    hasFolder,
    named,
    isIgnored(path) {
      isIgnored ??= createIgnoreFilesTest(
        named(['.gitignore']).map((file) => ({ folder: folderOf(file), text: read(file) ?? '' })),
        // A file that was added in spite of a pattern shows that the folder is not all made; `.gitkeep` does not.
        { isKept: (folder) => below(folder).some((path) => !nameOf(path).startsWith('.')) },
      );
      return isIgnored(path);
    },
  };
}

const isOwn = (path: string) => !path.includes('node_modules/');

function listFolders(paths: Iterable<string>): Map<string, Folder> {
  const folders = new Map<string, Folder>([['', { files: [], folders: [] }]]);
  const find = (path: string): Folder => {
    const known = folders.get(path);
    if (known !== undefined) return known;
    const made: Folder = { files: [], folders: [] };
    folders.set(path, made);
    find(folderOf(path)).folders.push(path);
    return made;
  };
  for (const path of paths) find(folderOf(path)).files.push(path);
  return folders;
}

export const folderOf = (path: string): string => path.slice(0, Math.max(0, path.lastIndexOf('/')));

export const nameOf = (path: string): string => path.slice(path.lastIndexOf('/') + 1);

/** A path as it is written on a page: from the root, or from the page's folder. */
export const fromPage = (page: string, target: string): string =>
  target.startsWith('/') ? target : (joinPath(folderOf(page), target) ?? target);

export const isBelow = (path: string, folder: string): boolean => folder === '' || path.startsWith(`${folder}/`);

export const relativeTo = (path: string, folder: string): string =>
  folder === '' ? path : path.slice(folder.length + 1);

/** Whether a path may have empty names or dots. Each link has some ten paths, so that this is no regular expression. */
const mayBeOdd = (path: string): boolean =>
  path.startsWith('.') || path.startsWith('/') || path.endsWith('/') || path.includes('//') || path.includes('/.');

/** Undefined for a path that leaves the repository. */
export function joinPath(folder: string, path: string): string | undefined {
  const joined = folder === '' ? path : `${folder}/${path}`;
  if (!mayBeOdd(joined)) return joined;
  const names: string[] = [];
  for (const name of joined.split('/')) {
    if (name === '' || name === '.') continue;
    if (name !== '..') names.push(name);
    else if (names.pop() === undefined) return undefined;
  }
  return names.join('/');
}
