/** A repository's files at one commit. Paths are relative, with `/`. */
export interface FileTree {
  paths: ReadonlySet<string>;
  /** Undefined for a file that is missing, too large, or no text. */
  read(path: string): string | undefined;
  /** Whether a file lies below the folder. The root is empty. */
  hasFolder(path: string): boolean;
  /** The paths whose last part is one of these names, outside of installed packages. */
  named(names: Iterable<string>): string[];
}

/** The index of names and folders is made once, when it is first asked for. */
export function createTree({ paths, read }: Pick<FileTree, 'paths' | 'read'>): FileTree {
  let folders: Set<string> | undefined;
  let byName: Map<string, string[]> | undefined;
  return {
    paths,
    read,
    hasFolder(path) {
      folders ??= listFolders(paths);
      return folders.has(path);
    },
    named(names) {
      byName ??= Map.groupBy([...paths].filter(isOwn), nameOf);
      return [...names].flatMap((name) => byName?.get(name) ?? []);
    },
  };
}

const isOwn = (path: string) => !/(?:^|\/)node_modules\//.test(path);

function listFolders(paths: Iterable<string>): Set<string> {
  const folders = new Set(['']);
  for (const path of paths) {
    for (let folder = folderOf(path); !folders.has(folder); folder = folderOf(folder)) folders.add(folder);
  }
  return folders;
}

export const folderOf = (path: string): string => path.slice(0, Math.max(0, path.lastIndexOf('/')));

export const nameOf = (path: string): string => path.slice(path.lastIndexOf('/') + 1);

export const isBelow = (path: string, folder: string): boolean => folder === '' || path.startsWith(`${folder}/`);

/** Undefined for a path that leaves the repository. */
export function joinPath(folder: string, path: string): string | undefined {
  const names: string[] = [];
  for (const name of `${folder}/${path}`.split('/')) {
    if (name === '' || name === '.') continue;
    if (name !== '..') names.push(name);
    else if (names.pop() === undefined) return undefined;
  }
  return names.join('/');
}
