import { DatabaseSync } from 'node:sqlite';
import { setTimeout as wait } from 'node:timers/promises';

const sqliteBusy = 5;
const pollMs = 50;

/**
 * A lock between processes of one machine, kept by the operating system: it ends with its holder, also when that is killed, so there is
 * nothing stale to take over. Node has no flock(2); SQLite's file locks are the same thing (https://sqlite.org/lockingv3.html). Many may
 * hold it `shared`, or one `exclusive`. The file stays empty and is never removed: removing it would split the lock in two.
 *
 * Returns null when somebody else is in the way.
 */
export function tryLock(path: string, mode: 'shared' | 'exclusive'): Disposable | null {
  const database = new DatabaseSync(path, { timeout: 0 });
  try {
    database.exec(mode === 'shared' ? 'BEGIN; SELECT count(*) FROM sqlite_schema' : 'BEGIN EXCLUSIVE');
  } catch (error) {
    database.close();
    if (error instanceof Error && 'errcode' in error && error.errcode === sqliteBusy) {
      return null;
    }
    throw new Error(`could not lock ${path}`, { cause: error });
  }
  return { [Symbol.dispose]: () => database.close() };
}

/** Waits until the lock is free, or throws the signal's reason. */
export async function lock(path: string, mode: 'shared' | 'exclusive', signal: AbortSignal): Promise<Disposable> {
  for (;;) {
    signal.throwIfAborted();
    const held = tryLock(path, mode);
    if (held) {
      return held;
    }
    await wait(pollMs, undefined, { signal }).catch(() => signal.throwIfAborted());
  }
}
