import { parseConfig, readEnvironment } from '../../config/config.ts';
import { createLog } from '../../log.ts';
import { createOutbound } from '../../outbound/outbound.ts';
import { openDatabase } from '../../store/open-database.ts';
import { describeError } from '../describe-error.ts';
import { UsageError } from '../usage-error.ts';
import { runWebhooksCommand } from './run-webhooks-command.ts';
import { parseWebhooksCommand, usage } from './webhooks-command.ts';

async function main(args: string[], signal: AbortSignal): Promise<string> {
  const command = parseWebhooksCommand(args);
  if (command.kind === 'help') return usage;
  const config = parseConfig(readEnvironment(), 'keys');
  // Errors are printed as the one line that ends the command.
  const log = createLog({ level: 'silent', redact: (line) => line });
  const { databaseUrl, dataDir } = config;
  await using cleanup = new AsyncDisposableStack();
  const { database } = await openDatabase({ databaseUrl, dataDir, log, signal, max: 1 }, cleanup);
  const lines = await runWebhooksCommand({ database, outbound: createOutbound(config), signal }, command);
  return lines.map((line) => `${line}\n`).join('');
}

const stopping = new AbortController();
for (const name of ['SIGINT', 'SIGTERM'] as const) {
  // Not `once`: npm forwards Ctrl-C to a process that received it already, and an unhandled second one would leave a half-made database.
  process.on(name, () => stopping.abort(new Error(`ended by ${name}`)));
}
try {
  process.stdout.write(await main(process.argv.slice(2), stopping.signal));
} catch (error) {
  const hint = error instanceof UsageError ? ' (see: npm run -s webhooks -- --help)' : '';
  process.stderr.write(`webhooks: ${describeError(error)}${hint}\n`);
  process.exitCode = error instanceof UsageError ? 2 : 1;
}
