import { mkdir, readdir, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { type FileLock, tryLock } from '../disk/file-lock.ts';
import {
  exists,
  hasUniqueEnd,
  ignoreMissing,
  isAside,
  isOlderThanADay,
  removeAside,
  uniqueName,
} from '../disk/files.ts';

interface ScratchFolder extends AsyncDisposable {
  path: string;
}

/** Each folder is locked while in use, so that any process can detect orphans. It is created with its lock, and removed, by one rename. */
export function createScratchFolders({ directory }: { directory: string }) {
  async function make(runId: string): Promise<ScratchFolder> {
    await mkdir(directory, { recursive: true });
    for (;;) {
      const folder = await tryToMake(runId);
      if (folder !== null) return folder;
    }
  }

  /** Null when another process removed the folder as an orphan before it was locked. */
  async function tryToMake(runId: string): Promise<ScratchFolder | null> {
    const name = uniqueName();
    const unlocked = join(directory, `.new-${name}`);
    const path = join(directory, `${runId}.${name}`);
    await using stack = new AsyncDisposableStack();
    await mkdir(unlocked, { mode: 0o700 });
    stack.defer(() => rm(unlocked, { recursive: true, force: true }));
    const lock = await tryToLock(unlocked);
    if (lock === null) return null;
    stack.use(lock);
    await rename(unlocked, path).catch(ignoreMissing);
    if (!(await exists(path))) return null;
    stack.defer(() => removeAside(path));
    const cleanup = stack.move();
    return { path, [Symbol.asyncDispose]: () => cleanup.disposeAsync() };
  }

  async function isOrphan(name: string): Promise<boolean> {
    const path = join(directory, name);
    if (!hasUniqueEnd(name)) return false;
    if (isAside(name)) return true;
    if (!(await exists(lockOf(path)))) {
      // Folders of older versions have no lock.
      return name.startsWith('.new-') || isOlderThanADay(name);
    }
    using lock = await tryToLock(path);
    return lock !== null;
  }

  /** Null when another process has locked or removed the folder. */
  async function tryToLock(folder: string): Promise<FileLock | null> {
    try {
      return tryLock(lockOf(folder), 'exclusive');
    } catch (error) {
      if (await exists(folder)) throw error;
      return null;
    }
  }

  /** Removes the folders of dead processes. */
  async function removeOrphans(): Promise<void> {
    for (const name of (await readdir(directory).catch(ignoreMissing)) ?? []) {
      if (await isOrphan(name)) await removeAside(join(directory, name));
    }
  }

  return { make, removeOrphans };
}

const lockOf = (folder: string): string => join(folder, 'lock');
