import { parseConfig, readEnvironment } from '../../config/config.ts';
import { createLog } from '../../log.ts';
import { openDatabase } from '../../store/open-database.ts';
import type { JobsCommand } from './jobs-command.ts';
import { runJobsCommand } from './run-jobs-command.ts';

/** Runs the command on the database of the environment. Returns the exit status. */
export async function jobs(command: JobsCommand, signal: AbortSignal): Promise<0 | 1> {
  const print = (line: string) => void process.stdout.write(`${line}\n`);
  const { databaseUrl, dataDir, openai, projectLimits } = parseConfig(readEnvironment(), 'keys');
  // Errors are printed as the one line that ends the command.
  const log = createLog({ level: 'silent', redact: (line) => line });
  await using cleanup = new AsyncDisposableStack();
  const opened = await openDatabase({ databaseUrl, dataDir, log, signal, max: 2 }, cleanup);
  const { connection, database, queueSchema } = opened;
  // Loaded when the command sends something: most only read.
  const openStore = async () => {
    const { createQueue } = await import('../../store/schedule/queue.ts');
    const queue = createQueue({ connection, schema: queueSchema, log });
    await queue.start();
    cleanup.defer(() => queue.stop());
    return { database, queue };
  };
  const { models } = openai;
  const parts = { database, openStore, models, limits: { ...projectLimits, rateLimit: 0 }, print, signal };
  // Without await, the database would be closed first.
  return await runJobsCommand(command, parts);
}
