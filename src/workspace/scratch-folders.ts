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

/** A folder that is its holder's alone, and is removed when it is disposed. */
export interface ScratchFolder extends AsyncDisposable {
  path: string;
}

/**
 * Folders below `directory` that go with whoever made them: each holds a lock for as long as it is used, so that one whose process died can
 * be told, at once and by any other process. It appears with its lock taken, and disappears, by one rename.
 */
export function createScratchFolders({ directory }: { directory: string }) {
  async function make(runId: string): Promise<ScratchFolder> {
    await mkdir(directory, { recursive: true });
    for (;;) {
      const folder = await tryToMake(runId);
      if (folder !== null) {
        return folder;
      }
    }
  }

  /** Null when another process took the folder, not locked yet, for one whose maker died. */
  async function tryToMake(runId: string): Promise<ScratchFolder | null> {
    const name = uniqueName();
    const made = join(directory, `.new-${name}`);
    const path = join(directory, `${runId}.${name}`);
    await using stack = new AsyncDisposableStack();
    await mkdir(made, { mode: 0o700 });
    stack.defer(() => rm(made, { recursive: true, force: true }));
    const lock = await tryToLock(made);
    if (lock === null) {
      return null;
    }
    stack.use(lock);
    await rename(made, path).catch(ignoreMissing);
    if (!(await exists(path))) {
      return null;
    }
    stack.defer(() => removeAside(path));
    const held = stack.move();
    return { path, [Symbol.asyncDispose]: () => held.disposeAsync() };
  }

  async function isOrphan(name: string): Promise<boolean> {
    const path = join(directory, name);
    if (!hasUniqueEnd(name)) {
      return false;
    }
    if (isAside(name)) {
      return true;
    }
    if (!(await exists(lockOf(path)))) {
      // One of an older version has none.
      return name.startsWith('.new-') || isOlderThanADay(name);
    }
    using alone = await tryToLock(path);
    return alone !== null;
  }

  /** Null when somebody else holds the folder, or has removed it. */
  async function tryToLock(folder: string): Promise<FileLock | null> {
    try {
      return tryLock(lockOf(folder), 'exclusive');
    } catch (error) {
      if (await exists(folder)) {
        throw error;
      }
      return null;
    }
  }

  /** Removes what processes that died left. */
  async function removeOrphans(): Promise<void> {
    for (const name of (await readdir(directory).catch(ignoreMissing)) ?? []) {
      if (await isOrphan(name)) {
        await removeAside(join(directory, name));
      }
    }
  }

  return { make, removeOrphans };
}

const lockOf = (folder: string): string => join(folder, 'lock');
