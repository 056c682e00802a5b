import { type Config, parseConfig, readEnvironment } from '../config/config.ts';
import type { FindInstalledRepository } from '../keys/create-key.ts';
import { createLog } from '../log.ts';
import { openDatabase } from '../store/open-database.ts';
import type { KeysCommand } from './keys-command.ts';
import { runKeysCommand } from './run-keys-command.ts';

/** Runs the command on the database of the environment, and returns the lines to print. */
export async function keys(command: KeysCommand, signal: AbortSignal): Promise<string[]> {
  const config = parseConfig(readEnvironment(), 'keys');
  // Errors are printed as the one line that ends the command.
  const log = createLog({ level: 'silent', redact: (line) => line });
  const { databaseUrl, dataDir } = config;
  await using cleanup = new AsyncDisposableStack();
  const { database } = await openDatabase({ databaseUrl, dataDir, log, signal, max: 1 }, cleanup);
  const findInstalledRepository = createInstallationSearch(config.github, signal);
  return await runKeysCommand({ command, database, findInstalledRepository });
}

/** Loads GitHub's client when it is asked: only a new key needs it. */
function createInstallationSearch(app: Config['github'], signal: AbortSignal): FindInstalledRepository {
  return async (name) => {
    const { createGitHubApp } = await import('../github/auth/app.ts');
    const { createFindInstalledRepository } = await import('./find-installed-repository.ts');
    const find = createFindInstalledRepository({ github: createGitHubApp(app), appId: app.appId, signal });
    return find(name);
  };
}
