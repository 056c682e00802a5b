import { ConfigError, parseConfig, readEnvironment } from '../config.ts';
import { createGitHubApp } from '../github/app.ts';
import { createLog } from '../log.ts';
import { createFindInstalledRepository } from './find-installed-repository.ts';
import { parseKeysCommand, UsageError, usage } from './keys-command.ts';
import { openDatabase } from './open-database.ts';
import { runKeysCommand } from './run-keys-command.ts';

async function main(args: string[], signal: AbortSignal): Promise<string> {
  const command = parseKeysCommand(args);
  if (command.kind === 'help') return usage;
  const config = parseConfig(readEnvironment(), 'keys');
  // What goes wrong is told in the one line that ends the command.
  const log = createLog({ level: 'silent', redact: (line) => line });
  const findInstalledRepository = createFindInstalledRepository(createGitHubApp(config.github), signal);
  await using opened = await openDatabase({ config, log, signal });
  const lines = await runKeysCommand({ command, database: opened.database, findInstalledRepository });
  return lines.map((line) => `${line}\n`).join('');
}

/** An error and what caused it, in one line. */
function describe(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const own = error instanceof ConfigError ? `the configuration is wrong: ${error.problems.join('; ')}` : error.message;
  const text = error.cause === undefined || error instanceof UsageError ? own : `${own}: ${describe(error.cause)}`;
  return text.replaceAll(/\s*\n\s*/g, ' ');
}

const stopping = new AbortController();
for (const name of ['SIGINT', 'SIGTERM'] as const) {
  process.once(name, () => stopping.abort(new Error(`ended by ${name}`)));
}
try {
  process.stdout.write(await main(process.argv.slice(2), stopping.signal));
} catch (error) {
  const hint = error instanceof UsageError ? ' (see: npm run -s keys -- --help)' : '';
  process.stderr.write(`keys: ${describe(error)}${hint}\n`);
  process.exitCode = error instanceof UsageError ? 2 : 1;
}
