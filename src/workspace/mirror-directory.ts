import { mkdir, readdir, readFile, rename, rm, stat, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { lock, tryLock } from './file-lock.ts';
import type { Git } from './git.ts';
import { ignoreMissing } from './ignore-missing.ts';

const damageMark = 'pagewright-damaged';
const sizeMark = 'pagewright-bytes';
const dayMs = 24 * 60 * 60 * 1000;

/**
 * Highest in precedence of all attribute files, so nothing that a repository says about its files changes a byte of them on the way in or
 * out: no line ends, no keywords, no filters, no encodings. https://git-scm.com/docs/gitattributes
 */
const plainAttributes = '* -text !eol !crlf !ident !filter !working-tree-encoding !merge !diff !whitespace\n';

/**
 * Where mirrors lie: `<repositoryId>.git`, each beside its lock. Who uses a mirror holds the lock shared; who removes one holds it alone.
 * A mirror appears and disappears by one rename, so that there is never half of one.
 */
export function createMirrorDirectory({ git, directory }: { git: Git; directory: string }) {
  const pathOf = (repositoryId: number) => join(directory, `${repositoryId}.git`);
  const lockOf = (repositoryId: number) => join(directory, `${repositoryId}.lock`);
  const makeDirectory = () => mkdir(directory, { recursive: true, mode: 0o700 });
  const aside = (purpose: string) => join(directory, `.${purpose}-${uniqueName()}`);

  return {
    pathOf,

    async use(repositoryId: number, signal: AbortSignal): Promise<Disposable> {
      await makeDirectory();
      const held = await lock(lockOf(repositoryId), 'shared', signal);
      // When it was used last, for whoever looks for the mirror that is missed least.
      await utimes(lockOf(repositoryId), new Date(), new Date());
      return held;
    },

    tryUse: (repositoryId: number): Disposable | null => tryLock(lockOf(repositoryId), 'shared'),
    tryUseAlone: (repositoryId: number): Disposable | null => tryLock(lockOf(repositoryId), 'exclusive'),

    async tryMaintain(): Promise<Disposable | null> {
      await makeDirectory();
      return tryLock(join(directory, 'maintenance.lock'), 'exclusive');
    },

    /** Makes an empty mirror where there is none. Only under the shared lock. Returns whether it was made. */
    async create(repositoryId: number, signal: AbortSignal): Promise<boolean> {
      if (await exists(pathOf(repositoryId))) {
        return false;
      }
      const made = aside('new');
      await git(['init', '--bare', '--quiet', '--template=', '--initial-branch=main', made], {
        signal,
        cwd: directory,
      });
      await mkdir(join(made, 'info'), { recursive: true });
      await writeFile(join(made, 'info', 'attributes'), plainAttributes);
      try {
        await rename(made, pathOf(repositoryId));
        return true;
      } catch (error) {
        await rm(made, { recursive: true, force: true });
        // Another run was first.
        if (await exists(pathOf(repositoryId))) {
          return false;
        }
        throw error;
      }
    },

    /** Notes that the mirror's objects cannot be trusted: the next run to come fetches it anew. */
    markDamaged: (repositoryId: number) => writeFile(join(pathOf(repositoryId), damageMark), ''),
    isDamaged: (repositoryId: number) => exists(join(pathOf(repositoryId), damageMark)),

    /** How large the mirror was when nothing superfluous was in it; undefined: nobody has noted it yet. */
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
      const doomed = aside('old');
      await rename(pathOf(repositoryId), doomed).catch(ignoreMissing);
      await rm(doomed, { recursive: true, force: true });
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
        if (/^\.(new|old)-/.test(name) && isOlderThanADay(name)) {
          await rm(join(directory, name), { recursive: true, force: true });
        }
      }
    },
  };
}

export type MirrorDirectory = ReturnType<typeof createMirrorDirectory>;

/** A name that nobody else makes and that tells when it was made. */
export const uniqueName = (): string => `${Date.now()}-${crypto.randomUUID().slice(0, 8)}`;

/** Whether a path with a `uniqueName` in it was made more than a day ago: no run lasts that long. */
export function isOlderThanADay(path: string): boolean {
  const madeAt = /(\d{13})-[0-9a-f]{8}/.exec(path)?.[1];
  return madeAt !== undefined && Number(madeAt) < Date.now() - dayMs;
}

async function exists(path: string): Promise<boolean> {
  return (await stat(path).catch(ignoreMissing)) !== undefined;
}
