import { parseConfig, readEnvironment } from '../../config/config.ts';
import { createLog } from '../../log.ts';
import { createOutbound } from '../../outbound/outbound.ts';
import { openDatabase } from '../../store/open-database.ts';
import { runWebhooksCommand } from './run-webhooks-command.ts';
import type { WebhooksCommand } from './webhooks-command.ts';

/** Runs the command on the database of the environment, and returns the lines to print. */
export async function webhooks(command: WebhooksCommand, signal: AbortSignal): Promise<string[]> {
  const config = parseConfig(readEnvironment(), 'keys');
  // Errors are printed as the one line that ends the command.
  const log = createLog({ level: 'silent', redact: (line) => line });
  const { databaseUrl, dataDir } = config;
  await using cleanup = new AsyncDisposableStack();
  const { database } = await openDatabase({ databaseUrl, dataDir, log, signal, max: 1 }, cleanup);
  return await runWebhooksCommand({ database, outbound: createOutbound(config), signal }, command);
}
