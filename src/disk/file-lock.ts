import { DatabaseSync } from 'node:sqlite';

const sqliteBusy = 5;
/** SQLite begins an empty file with a journal, and on a full disk it would find no room for one. */
const withoutFile = 'PRAGMA journal_mode = MEMORY';
const begin = { shared: 'BEGIN; SELECT count(*) FROM sqlite_schema', exclusive: 'BEGIN EXCLUSIVE' };

export interface FileLock extends Disposable {
  /** Turns exclusive into shared. Returns false, without a lock, when another process was faster. */
  share(): boolean;
}

/** Null when another process holds the lock. The operating system releases it when its holder dies. Node has no flock(2): these are SQLite's
 * file locks (https://sqlite.org/lockingv3.html). Never remove the file, unless its name never returns: that would split the lock. */
export function tryLock(path: string, mode: 'shared' | 'exclusive'): FileLock | null {
  const database = new DatabaseSync(path, { timeout: 0 });
  const tryTo = (statements: string): boolean => {
    try {
      database.exec(statements);
      return true;
    } catch (error) {
      if (error instanceof Error && 'errcode' in error && error.errcode === sqliteBusy) return false;
      throw new Error(`could not lock ${path}`, { cause: error });
    }
  };
  using stack = new DisposableStack();
  stack.defer(() => database.close());
  if (!tryTo(`${withoutFile}; ${begin[mode]}`)) return null;
  const resources = stack.move();
  return { share: () => tryTo(`ROLLBACK; ${begin.shared}`), [Symbol.dispose]: () => resources.dispose() };
}
