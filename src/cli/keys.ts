import { parseConfig, readEnvironment } from '../config/config.ts';
import { createGitHubApp } from '../github/auth/app.ts';
import { createLog } from '../log.ts';
import { describeError } from './describe-error.ts';
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
  const findInstalledRepository = createFindInstalledRepository({
    github: createGitHubApp(config.github),
    appId: config.github.appId,
    signal,
  });
  await using opened = await openDatabase({ config, log, signal });
  const lines = await runKeysCommand({ command, database: opened.database, findInstalledRepository });
  return lines.map((line) => `${line}\n`).join('');
}

const stopping = new AbortController();
for (const name of ['SIGINT', 'SIGTERM'] as const) {
  // Not `once`: npm passes Ctrl-C on to a process that has it already, and a second one would leave a database half-made.
  process.on(name, () => stopping.abort(new Error(`ended by ${name}`)));
}
try {
  process.stdout.write(await main(process.argv.slice(2), stopping.signal));
} catch (error) {
  const hint = error instanceof UsageError ? ' (see: npm run -s keys -- --help)' : '';
  process.stderr.write(`keys: ${describeError(error)}${hint}\n`);
  process.exitCode = error instanceof UsageError ? 2 : 1;
}
