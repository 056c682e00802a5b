import { typeid } from 'typeid-js';
import type { Database } from '../store/postgres/database.ts';
import { insertApiKey } from '../store/tables/api-keys.ts';
import { upsertInstallation } from '../store/tables/installations.ts';
import { type RepositoryFacts, storeSettings, upsertProject } from '../store/tables/projects.ts';
import { digestKey, generateKey } from './key-format.ts';

/** A repository that the App can reach, and the installation through which it does. */
export interface InstalledRepository {
  installation: { installationId: number; account: string; suspendedAt: Date | null };
  repository: RepositoryFacts;
  /** What the repository says of itself, and what is wrong with that; undefined: not asked. */
  settings?: { settings: object; problems: string[] };
}

/** Asks GitHub; undefined when the App is not installed there, or there is no such repository. */
export type FindInstalledRepository = (name: {
  owner: string;
  repo: string;
}) => Promise<InstalledRepository | undefined>;

export interface CreatedKey {
  projectId: string;
  keyId: string;
  /** The secret itself, which cannot be shown again. */
  key: string;
}

/**
 * Makes a key for a repository's project, and the project itself when no webhook has told of it yet. Undefined when the App is
 * not installed on the repository. Only the SHA-256 of the key is stored.
 */
export async function createKey({
  database,
  findInstalledRepository,
  owner,
  repo,
  name,
  expiresAt,
}: {
  database: Database;
  findInstalledRepository: FindInstalledRepository;
  owner: string;
  repo: string;
  /** A name for people to tell keys apart by; messages that come with the key have it as their author. */
  name: string;
  /** null: never. */
  expiresAt: Date | null;
}): Promise<CreatedKey | undefined> {
  const found = await findInstalledRepository({ owner, repo });
  if (!found) return undefined;
  const key = generateKey();
  const keyId = typeid('key').toString();
  return database.transaction().execute(async (tx) => {
    await upsertInstallation(tx, found.installation);
    const { project_id: projectId } = await upsertProject(tx, found.repository);
    if (found.settings) await storeSettings(tx, projectId, found.settings);
    await insertApiKey(tx, {
      key_id: keyId,
      project_id: projectId,
      sha256: digestKey(key),
      name,
      last4: key.slice(-4),
      expires_at: expiresAt,
    });
    return { projectId, keyId, key };
  });
}
