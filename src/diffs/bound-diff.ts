import type { FileDiff } from '../file-diff.ts';
import { formatFile } from './format-diff.ts';

export interface Diff {
  files: FileDiff[];
  /** Patches or files are left out. */
  truncated: boolean;
}

/** An answer has at most so many, as text or as JSON. */
export const maxDiffBytes = 2_000_000;

/** Leaves out the patches, in order, that no longer fit, then files. */
export function boundDiff(all: readonly FileDiff[], maxBytes = maxDiffBytes): Diff {
  let leftBytes = maxBytes;
  const listed = all.filter((file) => {
    leftBytes -= sizeOf({ ...file, patch: null });
    return leftBytes >= 0;
  });
  leftBytes = Math.max(leftBytes, 0);
  const files = listed.map((file) => {
    const bytes = file.patch === null ? 0 : sizeOf(file) - sizeOf({ ...file, patch: null });
    if (bytes > leftBytes) return { ...file, patch: null };
    leftBytes -= bytes;
    return file;
  });
  const isCut = ({ patch, additions, deletions }: FileDiff) => patch === null && additions + deletions > 0;
  return { files, truncated: files.length < all.length || files.some(isCut) };
}

/** Counts the comma behind it. */
const sizeOf = (file: FileDiff) =>
  Math.max(Buffer.byteLength(JSON.stringify(file)) + 1, Buffer.byteLength(formatFile(file)));
