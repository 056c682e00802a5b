import { constants, type Stats } from 'node:fs';
import { type FileHandle, lstat, mkdir, open, rmdir, unlink } from 'node:fs/promises';
import { join } from 'node:path';
import { ignoreMissing } from '../disk/files.ts';
import { parentsOf } from '../git/paths.ts';

const { O_RDONLY, O_WRONLY, O_CREAT, O_NOFOLLOW, O_NONBLOCK } = constants;

/** Something on the way to a file is not what a workspace is made of: a link, a device, a file with two names. */
export class UnsafeFile extends Error {
  override readonly name = 'UnsafeFile';
}

/**
 * Reads a plain file below `root`, never through a symbolic link. `path` has passed `checkPath`. Null when it does not exist;
 * `bytes: null` when it is longer than `maxBytes`. Throws `UnsafeFile`.
 */
export async function readPlainFile(
  root: string,
  path: string,
  maxBytes: number,
): Promise<{ size: number; bytes: Buffer | null } | null> {
  await using file = await openInside(root, path, O_RDONLY);
  if (file === null) {
    return null;
  }
  const { size } = await file.stat();
  return { size, bytes: size > maxBytes ? null : await file.readFile() };
}

/** Writes a plain file below `root`, with the folders it needs; an existing one keeps its mode. Throws `UnsafeFile`. */
export async function writePlainFile(root: string, path: string, bytes: Uint8Array): Promise<void> {
  for (const folder of parentsOf(path)) {
    await mkdir(join(root, folder)).catch(ignoreExisting);
    // Before the next one: making a folder follows a link in the place of this one.
    await requireFolder(root, folder);
  }
  await using file = await openInside(root, path, O_WRONLY | O_CREAT);
  if (file === null) {
    throw new UnsafeFile(`could not create ${path}`);
  }
  // Emptied only now: until the checks of openInside have passed, it could have been somebody else's file.
  await file.truncate(0);
  await file.writeFile(bytes);
}

/** Removes a plain file below `root` and the folders that are empty without it. Throws `UnsafeFile`. */
export async function removePlainFile(root: string, path: string): Promise<void> {
  await using file = await openInside(root, path, O_RDONLY);
  if (file !== null) {
    await unlink(join(root, path));
  }
  for (const folder of parentsOf(path).toReversed()) {
    const isLast = await rmdir(join(root, folder)).then(
      () => false,
      () => true,
    );
    if (isLast) {
      return;
    }
  }
}

/**
 * Node has no openat(2), so the folders above are looked at before and after opening, and the opened file has to be the one that lies
 * there: whoever swaps a folder for a link in between is noticed before a byte is read or written.
 */
async function openInside(root: string, path: string, flags: number): Promise<FileHandle | null> {
  if (!(await hasPlainParents(root, path))) {
    return null;
  }
  const file = await open(join(root, path), flags | O_NOFOLLOW | O_NONBLOCK, 0o644).catch((error: unknown) => {
    if (hasCode(error, 'ENOENT')) {
      return null;
    }
    throw hasCode(error, 'ELOOP', 'ENXIO', 'EISDIR')
      ? new UnsafeFile(`${path} is not a plain file`, { cause: error })
      : error;
  });
  if (file === null) {
    return null;
  }
  try {
    const opened = await file.stat();
    const lying = await lstat(join(root, path));
    if (!(await hasPlainParents(root, path)) || !isSameFile(opened, lying) || !opened.isFile() || opened.nlink !== 1) {
      throw new UnsafeFile(`${path} is not a plain file of the workspace`);
    }
    return file;
  } catch (error) {
    await file.close();
    throw error;
  }
}

async function hasPlainParents(root: string, path: string): Promise<boolean> {
  for (const folder of ['.', ...parentsOf(path)]) {
    if (!(await requireFolder(root, folder))) {
      return false;
    }
  }
  return true;
}

/** Whether the folder exists; throws when something else is in its place. */
async function requireFolder(root: string, folder: string): Promise<boolean> {
  const stats = await lstat(join(root, folder)).catch(ignoreMissing);
  if (stats !== undefined && !stats.isDirectory()) {
    throw new UnsafeFile(`${folder} is not a folder`);
  }
  return stats !== undefined;
}

const isSameFile = (a: Stats, b: Stats): boolean => a.ino === b.ino && a.dev === b.dev;

const hasCode = (error: unknown, ...codes: string[]): boolean =>
  error instanceof Error && 'code' in error && typeof error.code === 'string' && codes.includes(error.code);

function ignoreExisting(error: unknown): void {
  if (!hasCode(error, 'EEXIST')) {
    throw error;
  }
}
