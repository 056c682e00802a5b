import { constants, type Stats } from 'node:fs';
import { type FileHandle, lstat, mkdir, open, rmdir, unlink } from 'node:fs/promises';
import { join } from 'node:path';
import { ignoreMissing } from '../disk/files.ts';
import { hasCode } from '../errors.ts';
import { parentsOf } from '../git/check-path.ts';

const { O_RDONLY, O_WRONLY, O_CREAT, O_NOFOLLOW, O_NONBLOCK } = constants;

/** A path leads through or to a symbolic link, a device, or a file with several hard links. */
export class UnsafeFile extends Error {
  override readonly name = 'UnsafeFile';
}

/** `path` has passed `checkPath`. Null for a missing file; `bytes: null` when longer than `maxBytes`. Throws `UnsafeFile`. */
export async function readPlainFile(
  root: string,
  path: string,
  maxBytes: number,
): Promise<{ size: number; bytes: Buffer | null } | null> {
  await using file = await openInside(root, path, O_RDONLY);
  if (file === null) return null;
  const { size } = await file.stat();
  return { size, bytes: size > maxBytes ? null : await file.readFile() };
}

/** Creates missing folders. An existing file keeps its mode. Throws `UnsafeFile`. */
export async function writePlainFile(root: string, path: string, bytes: Uint8Array): Promise<void> {
  for (const folder of parentsOf(path)) {
    await mkdir(join(root, folder)).catch(ignoreExisting);
    // Checked before the next mkdir, which would follow a symbolic link here.
    await requireFolder(root, folder);
  }
  await using file = await openInside(root, path, O_WRONLY | O_CREAT);
  if (file === null) throw new UnsafeFile(`could not create ${path}`);
  // Truncated only after the checks of openInside: before, it could be a file outside of root.
  await file.truncate(0);
  await file.writeFile(bytes);
}

/** Also removes folders that become empty. Throws `UnsafeFile`. */
export async function removePlainFile(root: string, path: string): Promise<void> {
  await using file = await openInside(root, path, O_RDONLY);
  if (file !== null) await unlink(join(root, path));
  for (const folder of parentsOf(path).toReversed()) {
    const isLast = await rmdir(join(root, folder)).then(
      () => false,
      () => true,
    );
    if (isLast) return;
  }
}

/**
 * Node has no openat(2). This checks the parent folders before and after opening, and compares the opened file with the file at the path,
 * so that a folder swapped for a symbolic link is detected before any read or write.
 */
async function openInside(root: string, path: string, flags: number): Promise<FileHandle | null> {
  if (!(await hasPlainParents(root, path))) return null;
  const file = await open(join(root, path), flags | O_NOFOLLOW | O_NONBLOCK, 0o644).catch((error: unknown) => {
    if (hasCode(error, 'ENOENT')) return null;
    throw hasCode(error, 'ELOOP', 'ENXIO', 'EISDIR')
      ? new UnsafeFile(`${path} is not a plain file`, { cause: error })
      : error;
  });
  if (file === null) return null;
  try {
    const opened = await file.stat();
    const atPath = await lstat(join(root, path));
    if (!(await hasPlainParents(root, path)) || !isSameFile(opened, atPath) || !opened.isFile() || opened.nlink !== 1)
      throw new UnsafeFile(`${path} is not a plain file of the workspace`);
    return file;
  } catch (error) {
    await file.close();
    throw error;
  }
}

async function hasPlainParents(root: string, path: string): Promise<boolean> {
  for (const folder of ['.', ...parentsOf(path)]) {
    if (!(await requireFolder(root, folder))) return false;
  }
  return true;
}

async function requireFolder(root: string, folder: string): Promise<boolean> {
  const stats = await lstat(join(root, folder)).catch(ignoreMissing);
  if (stats !== undefined && !stats.isDirectory()) throw new UnsafeFile(`${folder} is not a folder`);
  return stats !== undefined;
}

const isSameFile = (a: Stats, b: Stats): boolean => a.ino === b.ino && a.dev === b.dev;

function ignoreExisting(error: unknown): void {
  if (!hasCode(error, 'EEXIST')) throw error;
}
