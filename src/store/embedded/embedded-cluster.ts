import { chown, mkdtemp, open, readdir, readFile, rename, rm } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import type { PostgresAccount, PostgresCommand } from './postgres-command.ts';

const processStartMs = Math.round(performance.timeOrigin);

/**
 * Sees to it that `cluster` is a whole PostgreSQL cluster with `database` in it, owned by `user`. It is made beside its place and moved
 * there in one step, so it is there whole or not at all: of two processes at once the later one drops its own, and what a crash left
 * half-made is removed by the next. Throws when the cluster is of another major version, or the place is taken by something else.
 */
export async function ensureCluster(options: {
  cluster: string;
  majorVersion: string;
  account: PostgresAccount;
  run: PostgresCommand;
  user: string;
  database: string;
  signal: AbortSignal | undefined;
}): Promise<void> {
  const { cluster, majorVersion } = options;
  if (!(await findVersion(cluster))) await createCluster(options);
  const version = await findVersion(cluster);
  if (!version) throw new Error(`${cluster} is not empty, but holds no database: move it away`);
  if (version !== majorVersion) {
    throw new Error(
      `${cluster} was made by PostgreSQL ${version}, and this is PostgreSQL ${majorVersion}: ` +
        `dump it with pg_dumpall of version ${version} and move it away, then restore the dump into the new one`,
    );
  }
}

async function findVersion(cluster: string): Promise<string | undefined> {
  try {
    return (await readFile(join(cluster, 'PG_VERSION'), 'utf8')).trim();
  } catch (error) {
    if (hasCode(error, 'ENOENT')) return undefined;
    throw new Error(`could not read the version of ${cluster}`, { cause: error });
  }
}

async function createCluster({
  cluster,
  account,
  run,
  user,
  database,
  signal,
}: Parameters<typeof ensureCluster>[0]): Promise<void> {
  const parent = dirname(cluster);
  await removeLeftovers(cluster);
  const draft = await mkdtemp(`${cluster}-new-${process.pid}-${processStartMs}-`);
  try {
    await chown(draft, account.owner.uid, account.owner.gid);
    // Trust: whoever gets to the socket, in a folder of mode 0700, is the owner. initdb writes everything through to the disk, as it does
    // unless told otherwise: it costs a tenth of a second, once, and the move below must not be more durable than what is moved.
    const made = await run(
      'initdb',
      [
        ...['-D', basename(draft), '-U', user, '--auth=trust', '--encoding=UTF8', '--locale=C'],
        ...['--set=timezone=UTC', '--set=log_timezone=UTC', '--no-instructions'],
      ],
      { signal },
    );
    if (made.exitCode !== 0) throw new Error(`could not create a database cluster: ${made.errors}`);
    const filled = await run(
      'postgres',
      ['--single', '-j', '-D', basename(draft), '-c', 'exit_on_error=true', 'postgres'],
      {
        input: `create database ${database};\n`,
        signal,
      },
    );
    if (filled.exitCode !== 0) throw new Error(`could not create database ${database}: ${filled.errors}`);
    await rename(draft, cluster);
    await using folder = await open(parent);
    await folder.sync();
  } catch (error) {
    // Another process was faster; its cluster is as good as ours.
    if (!hasCode(error, 'ENOTEMPTY') && !hasCode(error, 'EEXIST')) throw error;
  } finally {
    await remove(draft);
  }
}

/** Removes drafts whose makers are gone; those of a living process are still being made. */
async function removeLeftovers(cluster: string): Promise<void> {
  const prefix = `${basename(cluster)}-new-`;
  for (const name of await readdir(dirname(cluster))) {
    if (!name.startsWith(prefix)) continue;
    const [pid, startMs] = name.slice(prefix.length).split('-').map(Number);
    // In a container our number is the same each time, so our own drafts are told apart by our start.
    const isLeft = pid === process.pid ? startMs !== processStartMs : !isAlive(pid);
    if (isLeft) await remove(join(dirname(cluster), name));
  }
}

// Tries again for a while: the programs of a maker that was killed may write a little longer.
const remove = (path: string) => rm(path, { recursive: true, force: true, maxRetries: 10, retryDelay: 50 });

function isAlive(pid = Number.NaN): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return !hasCode(error, 'ESRCH');
  }
}

function hasCode(error: unknown, code: string): boolean {
  return error instanceof Error && 'code' in error && error.code === code;
}
