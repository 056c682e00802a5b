import { utimesSync } from 'node:fs';
import { appendFile, mkdir, readdir, readFile, rename, rm, stat, statfs, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { measureDirectory } from '../../disk/directory-size.ts';
import { type FileLock, tryLock } from '../../disk/file-lock.ts';
import {
  exists,
  ignoreMissing,
  isAside,
  isDiskFull,
  isOlderThanADay,
  removeAside,
  uniqueName,
} from '../../disk/files.ts';
import { pause } from '../../pause.ts';
import type { Git } from '../git.ts';
import { bloblessConfig } from './fetch.ts';

const mirrorPollEveryMs = 50;

const damageMark = 'pagewright-damaged';
const bloblessMark = 'pagewright-blobless';
const sizeMark = 'pagewright-bytes';
const measuredMark = 'pagewright-measured';
/** The mark of damage holds it. */
const whole = 'whole';

/** Takes precedence over all attribute files of the repository. https://git-scm.com/docs/gitattributes */
const plainAttributes =
  '* -text !eol !crlf !ident !filter !working-tree-encoding !merge !diff !whitespace !export-ignore !export-subst\n';

/** `isNew`: the mirror does not exist, and the lock is exclusive until `share`. `mustBeWhole`: a blobless one was not enough. */
export interface MirrorUse extends FileLock {
  isNew: boolean;
  mustBeWhole: boolean;
}

/** Each `<repositoryId>.git` has a lock: shared for use, exclusive for removal and the first fetch. Mirrors appear and disappear by one rename. */
export function createMirrorDirectory({ git, directory }: { git: Git; directory: string }) {
  const pathOf = (repositoryId: number) => join(directory, `${repositoryId}.git`);
  const lockOf = (repositoryId: number) => join(directory, `${repositoryId}.lock`);
  const makeDirectory = () => mkdir(directory, { recursive: true, mode: 0o700 });
  const readMark = (repositoryId: number, mark: string) =>
    readFile(join(pathOf(repositoryId), mark), 'utf8').catch(ignoreMissing);
  const isDamaged = (repositoryId: number) => exists(join(pathOf(repositoryId), damageMark));
  const isUsable = async (repositoryId: number) =>
    (await exists(join(pathOf(repositoryId), sizeMark))) && !(await isDamaged(repositoryId));

  /** Needs the exclusive lock. */
  const discard = (repositoryId: number): Promise<void> => removeAside(pathOf(repositoryId));

  /** Removes the files of killed git processes. Needs the exclusive lock. */
  async function removeUnfinished(repositoryId: number): Promise<void> {
    const entries = await readdir(pathOf(repositoryId), { recursive: true, withFileTypes: true });
    for (const { parentPath, name } of entries.filter((entry) => entry.isFile())) {
      if (/^\.?tmp[-_]|\.(keep|lock)$/.test(name)) await rm(join(parentPath, name), { force: true });
    }
  }

  async function tryToUse(repositoryId: number): Promise<MirrorUse | null> {
    const exclusiveLock = tryLock(lockOf(repositoryId), 'exclusive');
    // Checked before sharing: a user that cannot use the mirror must not block an exclusive lock.
    const lock = exclusiveLock ?? ((await isUsable(repositoryId)) ? tryLock(lockOf(repositoryId), 'shared') : null);
    if (lock === null) return null;
    using stack = new DisposableStack();
    stack.use(lock);
    const isNew = !(await isUsable(repositoryId));
    const mustBeWhole = isNew && (await readMark(repositoryId, damageMark)) === whole;
    if (exclusiveLock !== null) await (isNew ? discard(repositoryId) : removeUnfinished(repositoryId));
    if (exclusiveLock === null ? isNew : !isNew && !exclusiveLock.share()) return null;
    markUsed(repositoryId);
    stack.defer(() => markUsed(repositoryId));
    const resources = stack.move();
    return { isNew, mustBeWhole, share: lock.share, [Symbol.dispose]: () => resources.dispose() };
  }

  /** For eviction, by last use; a size that was measured before counts no longer. */
  const markUsed = (repositoryId: number) => utimesSync(lockOf(repositoryId), new Date(), new Date());

  /** In milliseconds since 1970; 0: never. */
  const readLastUse = async (repositoryId: number) =>
    (await stat(lockOf(repositoryId)).catch(ignoreMissing))?.mtimeMs ?? 0;

  return {
    pathOf,

    /** Waits for a shared lock, or, for a new or damaged mirror, for an exclusive lock, and removes the damaged one. */
    async use(repositoryId: number, signal: AbortSignal): Promise<MirrorUse> {
      await makeDirectory();
      for (;;) {
        signal.throwIfAborted();
        const use = await tryToUse(repositoryId);
        if (use !== null) return use;
        await pause(mirrorPollEveryMs, signal);
      }
    },

    /** Null: no mirror was fetched yet, or it is damaged, being fetched or removed. */
    async tryUseExisting(repositoryId: number): Promise<Disposable | null> {
      if (!(await isUsable(repositoryId))) return null;
      const lock = tryLock(lockOf(repositoryId), 'shared');
      if (lock === null || (await isUsable(repositoryId))) return lock;
      lock[Symbol.dispose]();
      return null;
    },

    discard,
    removeUnfinished,
    tryUse: (repositoryId: number): Disposable | null => tryLock(lockOf(repositoryId), 'shared'),
    tryUseAlone: (repositoryId: number): Disposable | null => tryLock(lockOf(repositoryId), 'exclusive'),

    async tryMaintain(): Promise<Disposable | null> {
      await makeDirectory();
      return tryLock(join(directory, 'maintenance.lock'), 'exclusive');
    },

    /** Needs the exclusive lock. */
    async create(
      repositoryId: number,
      { isBlobless, signal }: { isBlobless: boolean; signal: AbortSignal },
    ): Promise<void> {
      const newDirectory = join(directory, `.new-${uniqueName()}`);
      await git(['init', '--bare', '--quiet', '--template=', '--initial-branch=main', newDirectory], {
        signal,
        cwd: directory,
        // Refs are read as files. https://git-scm.com/docs/git-init (--ref-format)
        env: { GIT_DEFAULT_REF_FORMAT: 'files' },
      });
      await mkdir(join(newDirectory, 'info'), { recursive: true });
      await writeFile(join(newDirectory, 'info', 'attributes'), plainAttributes);
      if (isBlobless) {
        await appendFile(join(newDirectory, 'config'), bloblessConfig);
        await writeFile(join(newDirectory, bloblessMark), '');
      }
      await rename(newDirectory, pathOf(repositoryId));
    },

    /** The next run with an exclusive lock fetches the mirror again; `mustBeWhole`: with all files of its history. */
    markDamaged: (repositoryId: number, { mustBeWhole = false } = {}) =>
      writeFile(join(pathOf(repositoryId), damageMark), mustBeWhole ? whole : ''),
    isDamaged,

    /** Whether it has the files of few commits only. */
    isBlobless: (repositoryId: number) => exists(join(pathOf(repositoryId), bloblessMark)),

    readLastUse,

    /** In bytes. Reads the whole folder only after a use; so does each process of this machine. */
    async measure(repositoryId: number): Promise<number> {
      const usedAt = await readLastUse(repositoryId);
      const [bytes, at] = (await readMark(repositoryId, measuredMark))?.split(' ').map(Number) ?? [];
      if (bytes !== undefined && at === usedAt) return bytes;
      const measured = await measureDirectory(pathOf(repositoryId));
      await writeFile(join(pathOf(repositoryId), measuredMark), `${measured} ${usedAt}`).catch((error: unknown) => {
        // Eviction makes room on a full disk. A mirror that was removed meanwhile has no folder.
        if (!isDiskFull(error)) ignoreMissing(error);
      });
      return measured;
    },
    forgetSize: (repositoryId: number) => rm(join(pathOf(repositoryId), measuredMark), { force: true }),

    /** The size without unreachable objects; undefined before the first fetch ends. */
    async findLeanBytes(repositoryId: number): Promise<number | undefined> {
      const noted = await readMark(repositoryId, sizeMark);
      return noted === undefined ? undefined : Number(noted);
    },
    noteLeanBytes: (repositoryId: number, bytes: number) =>
      writeFile(join(pathOf(repositoryId), sizeMark), String(bytes)),

    /** False while the mirror is in use. */
    async remove(repositoryId: number): Promise<boolean> {
      using exclusiveLock = tryLock(lockOf(repositoryId), 'exclusive');
      if (exclusiveLock === null) return false;
      await discard(repositoryId);
      return true;
    },

    async list(): Promise<number[]> {
      const names = (await readdir(directory).catch(ignoreMissing)) ?? [];
      return names.flatMap((name) => /^(\d+)\.git$/.exec(name)?.[1] ?? []).map(Number);
    },

    lockOf,

    /** In bytes; `free`: what this process may use. */
    async readDisk(): Promise<{ size: number; free: number }> {
      const { bsize, blocks, bavail } = await statfs(directory);
      return { size: blocks * bsize, free: bavail * bsize };
    },

    async removeLeftovers(): Promise<void> {
      for (const name of (await readdir(directory).catch(ignoreMissing)) ?? []) {
        // A recent one may be in use.
        if (isAside(name) || (name.startsWith('.new-') && isOlderThanADay(name)))
          await rm(join(directory, name), { recursive: true, force: true });
      }
    },
  };
}

export type MirrorDirectory = ReturnType<typeof createMirrorDirectory>;
