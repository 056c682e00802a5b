import { parentsOf } from '../git/check-path.ts';
import type { Tree } from '../git/tree.ts';
import type { WriteSet } from './write-set.ts';

export interface WriteLimits {
  maxChangedFiles: number;
  maxChangedBytes: number;
  maxFileBytes: number;
}

/** Returns, for the model, why a checked path may not be read or written: it, or a folder above it, is not a plain file or folder. */
export function findObstacle(tree: Tree, path: string): string | undefined {
  for (const name of [...parentsOf(path), path]) {
    const other = tree.others.get(name);
    if (other !== undefined) return `${name} is ${other}; you can neither read nor change it`;
  }
  return undefined;
}

/** Returns, for the model, why a checked path cannot hold that many bytes (null: removed), whatever they are. */
export function findWriteLimit(options: {
  files: WriteSet;
  path: string;
  bytes: number | null;
  limits: WriteLimits;
}): string | undefined {
  const { files, path, bytes, limits } = options;
  const size = files.sizeWith(path, bytes ?? 0);
  if (size.files > limits.maxChangedFiles || size.bytes > limits.maxChangedBytes)
    return `a run may change at most ${limits.maxChangedFiles} files and write at most ${limits.maxChangedBytes} bytes, and this write would exceed that; nothing was changed. Finish with the changes that you have`;
  if (bytes !== null && bytes > limits.maxFileBytes)
    return `${path} would be longer than ${limits.maxFileBytes} bytes; shorten or split it`;
  if (files.hasFolder(path)) return `${path} is a folder, not a file: give the path of a file in it`;
  if (bytes === null || files.has(path)) return undefined;
  const file = parentsOf(path).find(files.has);
  if (file !== undefined) return `${file} is a file, so it cannot contain other files`;
  const clash = files.findClash(path);
  if (clash !== undefined)
    return `${path} differs from the existing ${clash} only in letter case or accents, and many file systems cannot store both; use the existing spelling`;
  return undefined;
}
