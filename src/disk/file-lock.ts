import { DatabaseSync } from 'node:sqlite';

const sqliteBusy = 5;
const begin = { shared: 'BEGIN; SELECT count(*) FROM sqlite_schema', exclusive: 'BEGIN EXCLUSIVE' };

export interface FileLock extends Disposable {
  /** Shares from now on what was held alone. Returns false, and holds nothing any more, when another process was faster. */
  share(): boolean;
}

/**
 * A lock between processes of one machine, kept by the operating system: it ends with its holder, also when that is killed, so there is
 * nothing stale to take over. Node has no flock(2); SQLite's file locks are the same thing (https://sqlite.org/lockingv3.html). Many may
 * hold it `shared`, or one `exclusive`. The file stays empty and is never removed, unless its name never returns: removing it would split
 * the lock in two.
 *
 * Returns null when somebody else is in the way.
 */
export function tryLock(path: string, mode: 'shared' | 'exclusive'): FileLock | null {
  const database = new DatabaseSync(path, { timeout: 0 });
  const tryTo = (statements: string): boolean => {
    try {
      database.exec(statements);
      return true;
    } catch (error) {
      if (error instanceof Error && 'errcode' in error && error.errcode === sqliteBusy) {
        return false;
      }
      throw new Error(`could not lock ${path}`, { cause: error });
    }
  };
  using stack = new DisposableStack();
  stack.defer(() => database.close());
  if (!tryTo(begin[mode])) {
    return null;
  }
  const held = stack.move();
  return { share: () => tryTo(`ROLLBACK; ${begin.shared}`), [Symbol.dispose]: () => held.dispose() };
}
