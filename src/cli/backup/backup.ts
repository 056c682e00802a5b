import { readEnvironment } from '../../config/config.ts';
import { readPlaces } from '../../config/read-places.ts';
import { backUp } from '../../store/backup/back-up.ts';
import { restore } from '../../store/backup/restore.ts';

/** Backs up the embedded database of the environment, and returns the lines to print. */
export async function runBackup(file: string, signal: AbortSignal): Promise<string[]> {
  const dataDir = readDataDir('back it up with pg_dump');
  const { bytes, secrets } = await backUp({ dataDir, file, signal });
  const held = ['the database', ...secrets].join(', ');
  return [
    `wrote ${file}: ${Math.ceil(bytes / 1e6)} MB with ${held}`,
    'It holds secrets. Keep it where only you can read it.',
  ];
}

/** Restores into DATA_DIR of the environment, and returns the lines to print. */
export async function runRestore(file: string, signal: AbortSignal): Promise<string[]> {
  const dataDir = readDataDir('unset it to restore an embedded database');
  const secrets = await restore({ dataDir, file, signal });
  return [`restored ${['the database', ...secrets].join(', ')} to ${dataDir}`, 'Start the service: pagewright start'];
}

function readDataDir(advice: string): string {
  const { dataDir, databaseUrl } = readPlaces(readEnvironment());
  if (databaseUrl !== null) throw new Error(`DATABASE_URL is set, so the database is not the embedded one: ${advice}`);
  return dataDir;
}
