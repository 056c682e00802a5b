import { parsePlaces, readEnvironment } from '../../config/config.ts';
import { ConfigError } from '../../config/config-error.ts';
import { createSilentLog } from '../../log.ts';
import { backUp } from '../../store/backup/back-up.ts';
import { restore } from '../../store/backup/restore.ts';
import { moveDatabase } from '../../store/move/move-database.ts';
import type { CommandOptions } from '../run-command.ts';
import type { DatabaseCommand } from './database-commands.ts';

/** Runs the command on the database of the environment, and returns the lines to print. */
export async function runDatabaseCommand(command: DatabaseCommand, { signal }: CommandOptions): Promise<string[]> {
  const began = performance.now();
  const { facts, lines } = await runCommand(command, signal);
  const seconds = Math.round((performance.now() - began) / 100) / 10;
  return command.isJson ? [JSON.stringify({ ...facts, seconds })] : lines(seconds);
}

interface Outcome {
  facts: object;
  lines: (seconds: number) => string[];
}

async function runCommand(command: DatabaseCommand, signal: AbortSignal): Promise<Outcome> {
  if (command.kind === 'backup') return runBackup(command.file, signal);
  return command.kind === 'restore' ? runRestore(command.file, signal) : runMove(signal);
}

async function runBackup(file: string, signal: AbortSignal): Promise<Outcome> {
  const { bytes, secrets } = await backUp({ dataDir: readDataDir('back it up with pg_dump'), file, signal });
  return {
    facts: { file, bytes, secrets },
    lines: (seconds) => [
      `wrote ${file} in ${seconds} s: ${Math.ceil(bytes / 1e6)} MB with ${['the database', ...secrets].join(', ')}`,
      'It holds secrets. Keep it where only you can read it.',
    ],
  };
}

async function runRestore(file: string, signal: AbortSignal): Promise<Outcome> {
  const dataDir = readDataDir('unset it to restore an embedded database');
  const secrets = await restore({ dataDir, file, signal });
  return {
    facts: { dataDir, secrets },
    lines: (seconds) => [
      `restored ${['the database', ...secrets].join(', ')} to ${dataDir} in ${seconds} s`,
      'Start the service: pagewright start',
    ],
  };
}

async function runMove(signal: AbortSignal): Promise<Outcome> {
  const { dataDir, databaseUrl } = parsePlaces(readEnvironment());
  if (databaseUrl === null)
    throw new ConfigError(['DATABASE_URL: set it to an empty database for the data, as postgresql://…']);
  // Errors are printed as the one line that ends the command.
  const log = createSilentLog();
  const { tables, target } = await moveDatabase({ dataDir, databaseUrl, log, signal });
  const rows = tables.reduce((sum, table) => sum + table.rows, 0);
  return {
    facts: { target, rows, tables },
    lines: (seconds) => [
      `moved ${rows} rows of ${tables.length} tables to ${target} in ${seconds} s; all rows were compared`,
      'Keep DATABASE_URL set, in .env or in the environment, and start the service: pagewright start',
      `${dataDir} still holds app.json, secrets.key and the caches. The embedded database no longer starts; remove ${dataDir}/postgres when you no longer need it.`,
    ],
  };
}

function readDataDir(advice: string): string {
  const { dataDir, databaseUrl } = parsePlaces(readEnvironment());
  if (databaseUrl !== null) throw new Error(`DATABASE_URL is set, so the database is not the embedded one: ${advice}`);
  return dataDir;
}
