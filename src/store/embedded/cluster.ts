import { existsSync } from 'node:fs';
import { chown, mkdtemp, open, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { hasCode } from '../../errors.ts';
import type { PostgresAccount, PostgresCommand } from './programs.ts';

const processStartMs = Math.round(performance.timeOrigin);

/** Idempotent and atomic: renames a draft; of two processes one discards its own. Throws for another major version or other content. */
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

/** Throws what to do if DATA_DIR holds no embedded database. */
export async function assertClusterExists(dataDir: string): Promise<void> {
  if (await findVersion(join(dataDir, 'postgres'))) return;
  throw new Error(`${dataDir} has no embedded database: set DATA_DIR to the folder of the service`);
}

async function findVersion(cluster: string): Promise<string | undefined> {
  try {
    return (await readFile(join(cluster, 'PG_VERSION'), 'utf8')).trim();
  } catch (error) {
    if (hasCode(error, 'ENOENT')) return undefined;
    throw new Error(`could not read the version of ${cluster}`, { cause: error });
  }
}

async function createCluster(parts: Parameters<typeof ensureCluster>[0]): Promise<void> {
  const { cluster, account, run, user, database, signal } = parts;
  const parent = dirname(cluster);
  await removeLeftovers(cluster);
  const draft = await mkdtemp(nameDraft(cluster));
  try {
    await chown(draft, account.owner.uid, account.owner.gid);
    // Only the owner can enter the folder of the socket; TCP is rejected in case somebody starts the cluster by hand.
    // No --no-sync: the rename must not be more durable than the files.
    const initialized = await run(
      'initdb',
      [
        ...['-D', basename(draft), '-U', user, '--auth-local=trust', '--auth-host=reject'],
        ...['--encoding=UTF8', '--locale=C'],
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

/** For `mkdtemp`. The next creation of a cluster removes a draft whose process is gone. */
export const nameDraft = (cluster: string): string => `${cluster}-new-${process.pid}-${processStartMs}-`;

/** After a restart, a container may give this process the same pid: the start time is part of the name. */
async function removeLeftovers(cluster: string): Promise<void> {
  const prefix = `${basename(cluster)}-new-`;
  for (const name of await readdir(dirname(cluster))) {
    if (!name.startsWith(prefix)) continue;
    const [pid, startMs] = name.slice(prefix.length).split('-').map(Number);
    const isLeftover = pid === process.pid ? startMs !== processStartMs : !isAlive(pid);
    if (isLeftover) await remove(join(dirname(cluster), name));
  }
}

function isAlive(pid = Number.NaN): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return !hasCode(error, 'ESRCH');
  }
}

// The programs of a killed process may still write.
const remove = (path: string) => rm(path, { recursive: true, force: true, maxRetries: 10, retryDelay: 50 });

const fileOf = (cluster: string) => join(cluster, 'pagewright-moved');

/** Throws if the data has moved to another database: what is written here would be lost. */
export async function assertNotRetired(cluster: string): Promise<void> {
  let target: string;
  try {
    target = await readFile(fileOf(cluster), 'utf8');
  } catch (error) {
    if (hasCode(error, 'ENOENT')) return;
    throw error;
  }
  throw new Error(
    `the database in ${cluster} was moved to ${target.trim()}: set DATABASE_URL to it; ` +
      `to go back and lose what was accepted since, remove ${fileOf(cluster)}`,
  );
}

/** `target` is what the operator reads. */
export async function retire(cluster: string, target: string): Promise<void> {
  await writeFile(fileOf(cluster), `${target}\n`, { mode: 0o644, flush: true });
}

/** The folder of an embedded database that is not used, because DATABASE_URL names another one, and that was not moved to it. */
export function findUnusedCluster(options: { dataDir: string; databaseUrl: string | null }): string | undefined {
  const { dataDir, databaseUrl } = options;
  const cluster = join(dataDir, 'postgres');
  const isUnused = databaseUrl !== null && existsSync(join(cluster, 'PG_VERSION')) && !existsSync(fileOf(cluster));
  return isUnused ? cluster : undefined;
}
