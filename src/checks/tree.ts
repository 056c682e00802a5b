/** A repository's files at one commit. Paths are relative, with `/`. */
export interface FileTree {
  paths: ReadonlySet<string>;
  /** Undefined for a file that is missing, too large, or no text. */
  read(path: string): string | undefined;
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
