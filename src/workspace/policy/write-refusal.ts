import { parentsOf } from '../../git/paths.ts';
import type { Tree } from '../../git/tree.ts';
import type { WriteSet } from '../write-set.ts';
import type { WriteJudge } from './write-rules.ts';

/** `maxChangedFiles` and `maxChangedBytes` bound what is published: a write that would exceed them is refused. */
export interface WriteLimits {
  maxChangedFiles: number;
  maxChangedBytes: number;
  maxFileBytes: number;
}

/**
 * Why nothing may be read or written at a judged path, or undefined: it, or a folder above it, is in the repository something else than
 * a file or a folder. Written for the model.
 */
export function findObstacle(tree: Tree, path: string): string | undefined {
  for (const name of [...parentsOf(path), path]) {
    const other = tree.others.get(name);
    if (other !== undefined) {
      return `${name} is ${other}; it can be neither read nor changed here`;
    }
  }
  return undefined;
}

/** Why this path may not be written with that many bytes (null: removed), or undefined when it may. Written for the model. */
export function findWriteRefusal({
  tree,
  files,
  path,
  bytes,
  judge,
  limits,
}: {
  tree: Tree;
  files: WriteSet;
  path: string;
  bytes: number | null;
  judge: WriteJudge;
  limits: WriteLimits;
}): string | undefined {
  const refusal = findObstacle(tree, path) ?? judge(path, bytes);
  if (refusal !== undefined) {
    return refusal;
  }
  const size = files.sizeWith(path, bytes ?? 0);
  if (size.files > limits.maxChangedFiles || size.bytes > limits.maxChangedBytes) {
    return `a run may change at most ${limits.maxChangedFiles} files and write at most ${limits.maxChangedBytes} bytes, and this would be more; nothing was changed. Finish with what is there`;
  }
  if (bytes !== null && bytes > limits.maxFileBytes) {
    return `${path} would be longer than ${limits.maxFileBytes} bytes; make it shorter or split it`;
  }
  if (files.hasFolder(path)) {
    return `${path} is a folder, not a file`;
  }
  if (bytes === null || files.has(path)) {
    return undefined;
  }
  const file = parentsOf(path).find(files.has);
  if (file !== undefined) {
    return `${file} is a file, so nothing can be put below it`;
  }
  const clash = files.findClash(path);
  if (clash !== undefined) {
    return `${path} differs from ${clash}, which exists, only in letter case or accents, and many machines cannot hold both; use the existing spelling`;
  }
  return undefined;
}
