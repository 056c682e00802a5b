import { isOlderThanADay, uniqueName } from '../../disk/files.ts';
import { GitError } from '../errors.ts';
import type { Git, InRepository } from '../git.ts';
import { readGit, runGit } from '../run-git.ts';
import type { MirrorDirectory } from './mirror-directory.ts';

const checkTimeoutMs = 5 * 60_000;

const repackTimeoutMs = 15 * 60_000;

const maxPacks = 20;
const maxLooseObjects = 1_000;
const leastGrowthBytes = 8 * 1024 ** 2;
const defaultLeastShareBytes = 1024 ** 3;

export function createMirrorUpkeep(parts: {
  git: Git;
  mirrors: MirrorDirectory;
  leastShareBytes?: number;
  /** Null: all but a fifth of the disk. */
  maxBytes: number | null;
}) {
  const { git, mirrors, maxBytes, leastShareBytes = defaultLeastShareBytes } = parts;
  /** Deletes a run's refs, and keeps its base for the next fetch to build on. */
  async function release(repositoryId: number, refs: readonly string[], baseSha: string): Promise<void> {
    const gitDir = mirrors.pathOf(repositoryId);
    // Not the run's signal: an abort releases too.
    const { signal } = new AbortController();
    try {
      const commands = [`create refs/kept/${uniqueName()} ${baseSha}`, ...refs.map((ref) => `delete ${ref}`)];
      await git(['update-ref', '--stdin'], { signal, gitDir, stdin: `${commands.join('\n')}\n` });
    } catch (error) {
      // Neither the run nor the mirror may be at fault (a full disk, a stale lock). Leftover refs are deleted after a day, and a failing
      // fetch checks the mirror. A check here would block a slot, or a stop, for minutes.
      if (!(error instanceof GitError)) throw error;
    }
  }

  async function maintain(signal: AbortSignal): Promise<void> {
    using alone = await mirrors.tryMaintain();
    if (alone === null) return;
    const failures: unknown[] = [];
    const attempt = async (work: () => Promise<void>) => {
      signal.throwIfAborted();
      await work().catch((error: unknown) => failures.push(error));
    };
    await attempt(mirrors.removeLeftovers);
    // First, because a full disk may fail the rest.
    await attempt(evict);
    for (const repositoryId of await mirrors.list()) {
      await attempt(() => attend(repositoryId, mirrors.tryUse, tidy, signal));
      await attempt(() => attend(repositoryId, mirrors.tryUseAlone, dropUnreachable, signal));
    }
    signal.throwIfAborted();
    if (failures.length > 0) throw new AggregateError(failures, 'could not maintain all mirrors');
  }

  /** Skips damaged mirrors: the next fetch or eviction removes them. */
  async function attend(
    repositoryId: number,
    take: MirrorDirectory['tryUse'],
    work: (repositoryId: number, signal: AbortSignal) => Promise<void>,
    signal: AbortSignal,
  ): Promise<void> {
    using lock = take(repositoryId);
    if (lock === null || (await mirrors.isDamaged(repositoryId))) return;
    try {
      await work(repositoryId, signal);
    } catch (error) {
      signal.throwIfAborted();
      if (!(error instanceof GitError) || !(await markIfBroken(repositoryId, signal)))
        throw new Error(`could not maintain ${mirrors.pathOf(repositoryId)}`, { cause: error });
    }
  }

  async function tidy(repositoryId: number, signal: AbortSignal): Promise<void> {
    const at = { git, gitDir: mirrors.pathOf(repositoryId), signal };
    await dropOldRefs(at);
    if (!(await hasGrown(at))) return;
    // --geometric refuses packs that a remote has promised.
    const isBlobless = await mirrors.isBlobless(repositoryId);
    const how = isBlobless ? ['-a', '--keep-unreachable'] : ['--geometric=2', '--no-write-bitmap-index'];
    // Keeps all objects, so runs may use the mirror meanwhile. https://git-scm.com/docs/git-repack
    await runGit(at, ['repack', ...how, '-d', '--quiet'], { timeoutMs: repackTimeoutMs });
    await mirrors.forgetSize(repositoryId);
  }

  /** Needs the exclusive lock: with git's own expiry, a run could still be using an old object. https://git-scm.com/docs/git-gc#_notes */
  async function dropUnreachable(repositoryId: number, signal: AbortSignal): Promise<void> {
    const at = { git, gitDir: mirrors.pathOf(repositoryId), signal };
    await mirrors.removeUnfinished(repositoryId);
    const leanBytes = await mirrors.findLeanBytes(repositoryId);
    const bytes = await mirrors.measure(repositoryId);
    if (leanBytes === undefined || bytes <= Math.max(2 * leanBytes, leanBytes + leastGrowthBytes)) return;
    // git keeps all that a remote has promised, also what nothing refers to any more.
    if (await mirrors.isBlobless(repositoryId)) return mirrors.discard(repositoryId);
    await runGit(at, ['repack', '-a', '-d', '--quiet'], { timeoutMs: repackTimeoutMs });
    await runGit(at, ['prune', '--expire=now'], { timeoutMs: repackTimeoutMs });
    await mirrors.forgetSize(repositoryId);
    await mirrors.noteLeanBytes(repositoryId, await mirrors.measure(repositoryId));
  }

  async function dropOldRefs(at: InRepository): Promise<void> {
    const runs = await listRefs(at, 'refs/pagewright');
    const kept = (await listRefs(at, 'refs/kept')).toReversed();
    const seen = new Set<string>();
    const superseded = kept.filter(({ ref, sha }, index) => {
      const isRepeated = seen.has(sha);
      seen.add(sha);
      return isRepeated || (index > 0 && isOlderThanADay(ref));
    });
    const expired = [...runs.filter(({ ref }) => isOlderThanADay(ref)), ...superseded];
    if (expired.length > 0) {
      const commands = expired.map(({ ref }) => `delete ${ref}\n`).join('');
      await runGit(at, ['update-ref', '--stdin'], { stdin: commands });
    }
  }

  async function hasGrown(at: InRepository): Promise<boolean> {
    const lines = (await readGit(at, ['count-objects', '-v'])).split('\n');
    const counts = new Map(lines.map((line) => splitAt(line, ': ')));
    return Number(counts.get('packs')) > maxPacks || Number(counts.get('count')) > maxLooseObjects;
  }

  /** Removes unused mirrors until the rest fits: first those whose idle time × size is largest, so that few repositories lose theirs. */
  async function evict(): Promise<void> {
    const all = await Promise.all(
      (await mirrors.list()).map(async (repositoryId) => ({
        repositoryId,
        bytes: await mirrors.measure(repositoryId),
        idleMs: Date.now() - (await mirrors.readLastUse(repositoryId)),
      })),
    );
    let total = all.reduce((sum, { bytes }) => sum + bytes, 0);
    const limit = maxBytes ?? (await findDiskShare(total));
    for (const { repositoryId, bytes } of all.toSorted((a, b) => b.idleMs * b.bytes - a.idleMs * a.bytes)) {
      if (total <= limit) return;
      if (await mirrors.remove(repositoryId)) total -= bytes;
    }
  }

  /** The space for mirrors that leaves a fifth of their disk free; a little even if others fill the disk. */
  async function findDiskShare(total: number): Promise<number> {
    const disk = await mirrors.readDisk();
    return Math.max(leastShareBytes, total + disk.free - disk.size / 5);
  }

  async function markIfBroken(repositoryId: number, signal: AbortSignal): Promise<boolean> {
    const options = { signal, gitDir: mirrors.pathOf(repositoryId), timeoutMs: checkTimeoutMs };
    try {
      await git(['fsck', '--connectivity-only', '--no-dangling', '--no-progress'], options);
      return false;
    } catch (error) {
      if (!(error instanceof GitError)) throw error;
      if (error.failure === 'exit') await mirrors.markDamaged(repositoryId);
      return error.failure === 'exit';
    }
  }

  async function listRefs(at: InRepository, under: string) {
    const text = await readGit(at, ['for-each-ref', '--format=%(refname) %(objectname)', under]);
    const lines = text === '' ? [] : text.split('\n');
    return lines.map((line) => splitAt(line, ' ')).map(([ref, sha]) => ({ ref, sha }));
  }

  return { release, maintain, evict, markIfBroken };
}

function splitAt(line: string, separator: string): [string, string] {
  const at = line.indexOf(separator);
  return at === -1 ? [line, ''] : [line.slice(0, at), line.slice(at + separator.length)];
}
