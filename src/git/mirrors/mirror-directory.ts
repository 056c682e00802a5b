import { mkdir, readdir, readFile, rename, rm, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type FileLock, tryLock } from '../../disk/file-lock.ts';
import { exists, ignoreMissing, isAside, isOlderThanADay, removeAside, uniqueName } from '../../disk/files.ts';
import { pause } from '../../pause.ts';
import { realTiming } from '../../timing.ts';
import type { Git } from '../git.ts';

const damageMark = 'pagewright-damaged';
const sizeMark = 'pagewright-bytes';

/**
 * Highest in precedence of all attribute files, so nothing that a repository says about its files changes a byte of them on the way in or
 * out, and no file is left out: no line ends, no keywords, no filters, no encodings. https://git-scm.com/docs/gitattributes
 */
const plainAttributes =
  '* -text !eol !crlf !ident !filter !working-tree-encoding !merge !diff !whitespace !export-ignore !export-subst\n';

/** A mirror that nobody removes. `isNew`: there is none yet, and nobody else makes one until `share`. */
export interface MirrorUse extends FileLock {
  isNew: boolean;
}

/**
 * Where mirrors lie: `<repositoryId>.git`, each beside its lock. Who uses a mirror holds the lock shared; who removes one, or fetches it
 * for the first time, holds it alone. A mirror appears and disappears by one rename, so that there is never half of one.
 */
export function createMirrorDirectory({ git, directory }: { git: Git; directory: string }) {
  const pathOf = (repositoryId: number) => join(directory, `${repositoryId}.git`);
  const lockOf = (repositoryId: number) => join(directory, `${repositoryId}.lock`);
  const makeDirectory = () => mkdir(directory, { recursive: true, mode: 0o700 });
  const isDamaged = (repositoryId: number) => exists(join(pathOf(repositoryId), damageMark));
  const isUsable = async (repositoryId: number) =>
    (await exists(join(pathOf(repositoryId), sizeMark))) && !(await isDamaged(repositoryId));

  /** Removes the mirror, if there is one. Only for who has it alone. */
  const discard = (repositoryId: number): Promise<void> => removeAside(pathOf(repositoryId));

  /** Removes what git processes that were killed left: half a pack, a lock, a pack that nobody may touch. Only for who has the mirror alone. */
  async function removeUnfinished(repositoryId: number): Promise<void> {
    const entries = await readdir(pathOf(repositoryId), { recursive: true, withFileTypes: true });
    for (const { parentPath, name } of entries.filter((entry) => entry.isFile())) {
      if (/^\.?tmp[-_]|\.(keep|lock)$/.test(name)) {
        await rm(join(parentPath, name), { force: true });
      }
    }
  }

  /** Null when somebody else is in the way. */
  async function tryToUse(repositoryId: number): Promise<MirrorUse | null> {
    const alone = tryLock(lockOf(repositoryId), 'exclusive');
    // Looked at before it is shared as well: who cannot use it must not be in the way of who wants it alone.
    const lock = alone ?? ((await isUsable(repositoryId)) ? tryLock(lockOf(repositoryId), 'shared') : null);
    if (lock === null) {
      return null;
    }
    using stack = new DisposableStack();
    stack.use(lock);
    const isNew = !(await isUsable(repositoryId));
    if (alone !== null) {
      await (isNew ? discard(repositoryId) : removeUnfinished(repositoryId));
    }
    if (alone === null ? isNew : !isNew && !alone.share()) {
      return null;
    }
    const held = stack.move();
    return { isNew, share: lock.share, [Symbol.dispose]: () => held.dispose() };
  }

  return {
    pathOf,

    /**
     * Waits until the mirror can be shared with others; where there is none that was ever fetched, or a damaged one, until it can be had
     * alone, and removes what is there.
     */
    async use(repositoryId: number, signal: AbortSignal): Promise<MirrorUse> {
      await makeDirectory();
      for (;;) {
        signal.throwIfAborted();
        const use = await tryToUse(repositoryId);
        if (use !== null) {
          // When it was used last, for whoever looks for the mirror that is missed least.
          await utimes(lockOf(repositoryId), new Date(), new Date());
          return use;
        }
        await pause(realTiming.git.mirrorPollEveryMs, signal);
      }
    },

    discard,
    removeUnfinished,
    tryUse: (repositoryId: number): Disposable | null => tryLock(lockOf(repositoryId), 'shared'),
    tryUseAlone: (repositoryId: number): Disposable | null => tryLock(lockOf(repositoryId), 'exclusive'),

    async tryMaintain(): Promise<Disposable | null> {
      await makeDirectory();
      return tryLock(join(directory, 'maintenance.lock'), 'exclusive');
    },

    /** Makes an empty mirror where there is none. Only for who has it alone. */
    async create(repositoryId: number, signal: AbortSignal): Promise<void> {
      const made = join(directory, `.new-${uniqueName()}`);
      await git(['init', '--bare', '--quiet', '--template=', '--initial-branch=main', made], {
        signal,
        cwd: directory,
      });
      await mkdir(join(made, 'info'), { recursive: true });
      await writeFile(join(made, 'info', 'attributes'), plainAttributes);
      await rename(made, pathOf(repositoryId));
    },

    /** Notes that the mirror is of no use any more: the next run that can have it alone fetches it anew. */
    markDamaged: (repositoryId: number) => writeFile(join(pathOf(repositoryId), damageMark), ''),
    isDamaged,

    /** How large the mirror was when nothing superfluous was in it; undefined until its first fetch has ended. */
    async findLeanBytes(repositoryId: number): Promise<number | undefined> {
      const noted = await readFile(join(pathOf(repositoryId), sizeMark), 'utf8').catch(ignoreMissing);
      return noted === undefined ? undefined : Number(noted);
    },
    noteLeanBytes: (repositoryId: number, bytes: number) =>
      writeFile(join(pathOf(repositoryId), sizeMark), String(bytes)),

    /** Removes the mirror, unless somebody uses it. Returns whether it is gone. */
    async remove(repositoryId: number): Promise<boolean> {
      using alone = tryLock(lockOf(repositoryId), 'exclusive');
      if (alone === null) {
        return false;
      }
      await discard(repositoryId);
      return true;
    },

    async list(): Promise<number[]> {
      const names = (await readdir(directory).catch(ignoreMissing)) ?? [];
      return names.flatMap((name) => /^(\d+)\.git$/.exec(name)?.[1] ?? []).map(Number);
    },

    lockOf,

    /** What processes that died while making or removing a mirror left behind. */
    async removeLeftovers(): Promise<void> {
      for (const name of (await readdir(directory).catch(ignoreMissing)) ?? []) {
        // Half a mirror may be somebody's who is at work on it: it is small, and can wait.
        if (isAside(name) || (name.startsWith('.new-') && isOlderThanADay(name))) {
          await rm(join(directory, name), { recursive: true, force: true });
        }
      }
    },
  };
}

export type MirrorDirectory = ReturnType<typeof createMirrorDirectory>;
