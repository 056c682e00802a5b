import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { type EmbeddedPostgres, startEmbeddedPostgres } from '../src/store/embedded/embedded-postgres.ts';

/** The embedded PostgreSQL of `dataDir`, which ends with this process, even if that is killed. */
export async function startPostgres(dataDir: string): Promise<AsyncDisposable & Pick<EmbeddedPostgres, 'connection'>> {
  await using cleanup = new AsyncDisposableStack();
  cleanup.use(endServerWithProcess(dataDir));
  const { connection } = cleanup.use(await startEmbeddedPostgres({ dataDir }));
  const running = cleanup.move();
  return { connection, [Symbol.asyncDispose]: () => running.disposeAsync() };
}

/** The pipe closes however this process ends. SIGQUIT ends PostgreSQL at once. Once it was stopped, the file is gone. */
const script = 'cat > /dev/null; read -r pid < "$1" && kill -QUIT "$pid"';

function endServerWithProcess(dataDir: string): Disposable {
  const file = join(dataDir, 'postgres', 'postmaster.pid');
  // A group of its own: what kills the group of this process leaves it alone.
  const guard = spawn('/bin/sh', ['-c', script, 'sh', file], { stdio: ['pipe', 'ignore', 'ignore'], detached: true });
  return { [Symbol.dispose]: () => void guard.kill() };
}
