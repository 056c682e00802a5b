import { userInfo } from 'node:os';
import { text as readText } from 'node:stream/consumers';
import { parseConfig, readEnvironment } from '../../config/config.ts';
import { createLog } from '../../log.ts';
import { openDatabase } from '../../store/open-database.ts';
import { createQueue } from '../../store/schedule/queue.ts';
import { describeError } from '../describe-error.ts';
import { UsageError } from '../usage-error.ts';
import { parseJobsCommand, usage } from './jobs-command.ts';
import { runJobsCommand } from './run-jobs-command.ts';

async function main(args: string[], signal: AbortSignal): Promise<0 | 1> {
  const userName = process.env.USER ?? userInfo().username;
  const command = await parseJobsCommand(args, { userName, readStdin: () => readText(process.stdin) });
  const print = (line: string) => void process.stdout.write(`${line}\n`);
  if (command.kind === 'help') {
    process.stdout.write(usage);
    return 0;
  }
  const { databaseUrl, dataDir, openai, budgetTokensPerMonth } = parseConfig(readEnvironment(), 'keys');
  // Errors are printed as the one line that ends the command.
  const log = createLog({ level: 'silent', redact: (line) => line });
  await using cleanup = new AsyncDisposableStack();
  const opened = await openDatabase({ databaseUrl, dataDir, log, signal, max: 2 }, cleanup);
  const { connection, database, queueSchema } = opened;
  const queue = createQueue({ connection, schema: queueSchema, log });
  await queue.start();
  cleanup.defer(() => queue.stop());
  const { models } = openai;
  const parts = { store: { database, queue }, models, tokensPerMonth: budgetTokensPerMonth, print, signal };
  // Without await, the database would be closed first.
  return await runJobsCommand(command, parts);
}

const stopping = new AbortController();
for (const name of ['SIGINT', 'SIGTERM'] as const) {
  // Not `once`: npm forwards Ctrl-C to a process that received it already, and an unhandled second one would leave a half-made database.
  process.on(name, () => stopping.abort(new Error(`ended by ${name}; the job goes on`)));
}
try {
  process.exitCode = await main(process.argv.slice(2), stopping.signal);
} catch (error) {
  const hint = error instanceof UsageError ? ' (see: npm run -s jobs -- --help)' : '';
  process.stderr.write(`jobs: ${describeError(error)}${hint}\n`);
  process.exitCode = error instanceof UsageError ? 2 : 1;
}
