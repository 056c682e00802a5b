import { existsSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { hasCode } from '../../errors.ts';

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
