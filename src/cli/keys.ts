import type { Config } from '../config/config.ts';
import { createKey, type FindInstalledRepository, revokeKey } from '../keys/project-keys.ts';
import type { Database } from '../store/postgres/database.ts';
import { type ApiKey, listApiKeys } from '../store/tables/access/api-keys.ts';
import type { KeysCommand } from './keys-command.ts';
import { openCommandStore, requireKnownProject } from './open-command-store.ts';
import { type CommandOptions, formatTable } from './run-command.ts';

/** Runs the command on the database of the environment, and returns the lines to print. */
export async function keys(command: KeysCommand, { signal }: CommandOptions): Promise<string[]> {
  await using cleanup = new AsyncDisposableStack();
  const { config, database } = await openCommandStore(signal, cleanup);
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

/** Runs the command and returns the lines to print. Throws an error whose message is one line for the operator. */
export async function runKeysCommand(options: {
  command: KeysCommand;
  database: Database;
  findInstalledRepository: FindInstalledRepository;
}): Promise<string[]> {
  const { command, database, findInstalledRepository } = options;
  if (command.kind === 'create') return create(command, { database, findInstalledRepository });
  if (command.kind === 'list') return list(command, database);
  const { keyId, isJson } = command;
  if (!(await revokeKey(database, keyId))) throw new Error(`key ${keyId} does not exist or is already revoked`);
  return [isJson ? JSON.stringify({ keyId, state: 'revoked' }) : `revoked ${keyId}`];
}

async function create(
  { owner, repo, name, lifetimeMs, isJson }: Extract<KeysCommand, { kind: 'create' }>,
  parts: { database: Database; findInstalledRepository: FindInstalledRepository },
): Promise<string[]> {
  const expiresAt = lifetimeMs === null ? null : new Date(Date.now() + lifetimeMs);
  const created = await createKey({ ...parts, owner, repo, name, expiresAt, isNameUnique: true });
  if (!created)
    throw new Error(
      `${owner}/${repo} does not exist, or the App is not installed on it: install the App on the repository`,
    );
  if (isJson) return [JSON.stringify(created)];
  return [
    `project  ${created.projectId}`,
    `key id   ${created.keyId}`,
    `key      ${created.key}`,
    `expires  ${expiresAt?.toISOString() ?? 'never'}`,
    'Copy the key now. Pagewright does not show it again.',
  ];
}

async function list(
  { isJson, ...repository }: Extract<KeysCommand, { kind: 'list' }>,
  database: Database,
): Promise<string[]> {
  const projectId = await requireKnownProject(database, repository);
  const now = new Date();
  const keys = (await listApiKeys(database, projectId)).map((apiKey) => describeKey(apiKey, now));
  return isJson ? [JSON.stringify({ projectId, keys })] : formatKeyTable(keys);
}

/** An API key as `list` shows it, with only the last four characters of the secret. */
function describeKey(apiKey: ApiKey, now: Date) {
  return {
    keyId: apiKey.key_id,
    name: apiKey.name,
    key: `pagewright_…${apiKey.last4}`,
    state: findState(apiKey, now),
    createdAt: apiKey.created_at.toISOString(),
    expiresAt: apiKey.expires_at?.toISOString() ?? null,
    lastUsedAt: apiKey.last_used_at?.toISOString() ?? null,
  };
}

function formatKeyTable(keys: ReturnType<typeof describeKey>[]): string[] {
  const rows = keys.map(({ keyId, name, key, state, createdAt, expiresAt, lastUsedAt }) => [
    ...[keyId, name, key, state],
    ...[createdAt, expiresAt, lastUsedAt].map((time) => time?.slice(0, 10) ?? 'never'),
  ]);
  return formatTable([['KEY ID', 'NAME', 'KEY', 'STATE', 'CREATED', 'EXPIRES', 'LAST USED'], ...rows]);
}

function findState({ revoked_at, expires_at }: ApiKey, now: Date): 'active' | 'revoked' | 'expired' {
  if (revoked_at) return 'revoked';
  return expires_at && expires_at <= now ? 'expired' : 'active';
}
