import { parseConfig, readEnvironment } from '../config/config.ts';
import { createGitHubApp } from '../github/auth/app.ts';
import { createLog } from '../log.ts';
import { openDatabase } from '../store/open-database.ts';
import { createFindInstalledRepository } from './find-installed-repository.ts';
import type { KeysCommand } from './keys-command.ts';
import { runKeysCommand } from './run-keys-command.ts';

/** Runs the command on the database of the environment, and returns the lines to print. */
export async function keys(command: KeysCommand, signal: AbortSignal): Promise<string[]> {
  const config = parseConfig(readEnvironment(), 'keys');
  // Errors are printed as the one line that ends the command.
  const log = createLog({ level: 'silent', redact: (line) => line });
  const findInstalledRepository = createFindInstalledRepository({
    github: createGitHubApp(config.github),
    appId: config.github.appId,
    signal,
  });
  const { databaseUrl, dataDir } = config;
  await using cleanup = new AsyncDisposableStack();
  const { database } = await openDatabase({ databaseUrl, dataDir, log, signal, max: 1 }, cleanup);
  return await runKeysCommand({ command, database, findInstalledRepository });
}
