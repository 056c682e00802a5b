import { chown, mkdtemp, open, readdir, readFile, rename, rm } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import type { PostgresAccount, PostgresCommand } from './programs.ts';

const processStartMs = Math.round(performance.timeOrigin);

/**
 * Creates `cluster`, a PostgreSQL cluster with `database`, owned by `user`, unless it exists. It is created in a folder beside and renamed, so
 * it is complete or absent: of two concurrent processes one discards its own, and the next process removes what a crash left. Throws if the
 * cluster has another major version, or the folder holds something else.
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
  if (!version) throw new Error(`${cluster} is not empty and not a database: move it away`);
  if (version !== majorVersion) {
    throw new Error(
      `${cluster} was created by PostgreSQL ${version}, but this is PostgreSQL ${majorVersion}: ` +
        `dump it with pg_dumpall of version ${version}, move it away, and restore the dump into the new cluster`,
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
    // Trust, because only the owner can enter the folder of the socket. initdb syncs its files, as by default: the rename below must not be
    // more durable than the files.
    const initialized = await run(
      'initdb',
      [
        ...['-D', basename(draft), '-U', user, '--auth=trust', '--encoding=UTF8', '--locale=C'],
        ...['--set=timezone=UTC', '--set=log_timezone=UTC', '--no-instructions'],
      ],
      { signal },
    );
    if (initialized.exitCode !== 0) throw new Error(`could not create a database cluster: ${initialized.errors}`);
    const created = await run(
      'postgres',
      ['--single', '-j', '-D', basename(draft), '-c', 'exit_on_error=true', 'postgres'],
      {
        input: `create database ${database};\n`,
        signal,
      },
    );
    if (created.exitCode !== 0) throw new Error(`could not create database ${database}: ${created.errors}`);
    await rename(draft, cluster);
    await using folder = await open(parent);
    await folder.sync();
  } catch (error) {
    // Another process created the cluster first.
    if (!hasCode(error, 'ENOTEMPTY') && !hasCode(error, 'EEXIST')) throw error;
  } finally {
    await remove(draft);
  }
}

/** Removes the drafts of dead processes. */
async function removeLeftovers(cluster: string): Promise<void> {
  const prefix = `${basename(cluster)}-new-`;
  for (const name of await readdir(dirname(cluster))) {
    if (!name.startsWith(prefix)) continue;
    const [pid, startMs] = name.slice(prefix.length).split('-').map(Number);
    // In a container, this process may have the same number after a restart, so the start time is part of the name.
    const isLeft = pid === process.pid ? startMs !== processStartMs : !isAlive(pid);
    if (isLeft) await remove(join(dirname(cluster), name));
  }
}

// Retries, because the programs of a killed process may still write.
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
