import { parseConfig, readEnvironment } from '../../config/config.ts';
import { openCommandStore } from '../open-command-store.ts';
import type { JobsCommand } from './jobs-command.ts';
import { runJobsCommand } from './run-jobs-command.ts';

/** Runs the command on the database of the environment. Returns the exit status. */
export async function jobs(command: JobsCommand, signal: AbortSignal): Promise<0 | 1> {
  const print = (line: string) => void process.stdout.write(`${line}\n`);
  const { databaseUrl, dataDir, openai, projectLimits } = parseConfig(readEnvironment(), 'keys');
  await using cleanup = new AsyncDisposableStack();
  const { database, openStore } = await openCommandStore({ databaseUrl, dataDir, signal }, cleanup);
  const { models } = openai;
  const parts = { database, openStore, models, limits: { ...projectLimits, rateLimit: 0 }, print, signal };
  // Without await, the database would be closed first.
  return await runJobsCommand(command, parts);
}
