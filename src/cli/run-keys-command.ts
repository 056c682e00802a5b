import { createKey, type FindInstalledRepository } from '../keys/create-key.ts';
import { revokeKey } from '../keys/revoke-key.ts';
import type { Database } from '../store/postgres/database.ts';
import { listApiKeys } from '../store/tables/api-keys.ts';
import { findProjectByName } from '../store/tables/projects.ts';
import { describeKey, formatKeyTable } from './format-key-table.ts';
import type { KeysCommand } from './keys-command.ts';

/** Does what the command says and returns the lines to print. Throws an error with one line for a person. */
export async function runKeysCommand({
  command,
  database,
  findInstalledRepository,
}: {
  command: Exclude<KeysCommand, { kind: 'help' }>;
  database: Database;
  findInstalledRepository: FindInstalledRepository;
}): Promise<string[]> {
  if (command.kind === 'create') return create(command, { database, findInstalledRepository });
  if (command.kind === 'list') return list(command, database);
  if (await revokeKey(database, command.keyId)) return [`revoked ${command.keyId}`];
  throw new Error(`there is no key ${command.keyId} that is not revoked already`);
}

async function create(
  { owner, repo, name, lifetimeMs, isJson }: Extract<KeysCommand, { kind: 'create' }>,
  parts: { database: Database; findInstalledRepository: FindInstalledRepository },
): Promise<string[]> {
  const expiresAt = lifetimeMs === null ? null : new Date(Date.now() + lifetimeMs);
  const created = await createKey({ ...parts, owner, repo, name, expiresAt });
  if (!created)
    throw new Error(`the App is not installed on ${owner}/${repo}, or there is no such repository: install it there`);
  if (isJson) return [JSON.stringify(created)];
  return [
    `project  ${created.projectId}`,
    `key id   ${created.keyId}`,
    `key      ${created.key}`,
    `expires  ${expiresAt?.toISOString() ?? 'never'}`,
    'Keep the key now: it cannot be shown again.',
  ];
}

async function list(
  { owner, repo, isJson }: Extract<KeysCommand, { kind: 'list' }>,
  database: Database,
): Promise<string[]> {
  const project = await findProjectByName(database, { owner, repo });
  if (!project) throw new Error(`there is no project ${owner}/${repo}: it comes into being with its first key`);
  const now = new Date();
  const keys = (await listApiKeys(database, project.project_id)).map((apiKey) => describeKey(apiKey, now));
  return isJson ? [JSON.stringify({ projectId: project.project_id, keys })] : formatKeyTable(keys);
}
