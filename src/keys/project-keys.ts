import { createId } from '../create-id.ts';
import { isId } from '../ids.ts';
import type { Database, Tx } from '../store/postgres/database.ts';
import {
  type ApiKey,
  findUsableApiKey,
  hasUsableApiKey,
  insertApiKey,
  recordApiKeyUse,
  revokeApiKey,
  type UsableApiKey,
} from '../store/tables/access/api-keys.ts';
import { upsertInstallation } from '../store/tables/repositories/installations.ts';
import {
  lockProjectExclusively,
  type RepositoryFacts,
  storeSettings,
  upsertProject,
} from '../store/tables/repositories/projects.ts';
import { digestKey, generateKey, isWellFormedKey } from './key-format.ts';

interface InstalledRepository {
  installation: { installationId: number; account: string; suspendedAt: Date | null };
  repository: RepositoryFacts;
  settings?: { settings: object; problems: string[] };
}

/** Asks GitHub; undefined if the App is not installed on the repository, or it does not exist. */
export type FindInstalledRepository = (name: {
  owner: string;
  repo: string;
}) => Promise<InstalledRepository | undefined>;

interface CreatedKey {
  projectId: string;
  keyId: string;
  key: string;
}

/** Keys are told apart by their names: they are the authors of messages. */
export class KeyNameTaken extends Error {
  override readonly name = 'KeyNameTaken';
}

/** Also creates the project, if no webhook has done so. Returns undefined if the App is not installed on the repository. */
export async function createKey(options: {
  database: Database;
  findInstalledRepository: FindInstalledRepository;
  owner: string;
  repo: string;
  /** The author of the key's messages. */
  name: string;
  expiresAt: Date | null;
  /** Throws `KeyNameTaken` if another usable key of the project has the name. */
  isNameUnique?: boolean;
}): Promise<CreatedKey | undefined> {
  const { database, findInstalledRepository, owner, repo, name, expiresAt, isNameUnique = false } = options;
  const found = await findInstalledRepository({ owner, repo });
  if (!found) return undefined;
  return database.transaction().execute(async (tx) => {
    await upsertInstallation(tx, found.installation);
    const { project_id: projectId } = await upsertProject(tx, found.repository);
    if (found.settings) await storeSettings(tx, projectId, found.settings);
    if (isNameUnique) await assertNameFree(tx, { projectId, name });
    return insertKey(tx, { projectId, name, expiresAt });
  });
}

interface NewKey {
  projectId: string;
  name: string;
  expiresAt: Date | null;
}

/** For a project that exists. Throws `KeyNameTaken`. */
export function createProjectKey(database: Database, key: NewKey): Promise<CreatedKey> {
  return database.transaction().execute(async (tx) => {
    await assertNameFree(tx, key);
    return insertKey(tx, key);
  });
}

/** Locks the project: two keys with one name must not be created at once. */
async function assertNameFree(tx: Tx, { projectId, name }: { projectId: string; name: string }): Promise<void> {
  await lockProjectExclusively(tx, projectId);
  if (await hasUsableApiKey(tx, { projectId, name }))
    throw new KeyNameTaken(`a key of this project has the name ${name}: revoke it, or choose another name`);
}

async function insertKey(tx: Tx, { projectId, name, expiresAt }: NewKey): Promise<CreatedKey> {
  const key = generateKey();
  const keyId = createId('key');
  await insertApiKey(tx, {
    key_id: keyId,
    project_id: projectId,
    sha256: digestKey(key),
    name,
    last4: key.slice(-4),
    expires_at: expiresAt,
  });
  return { projectId, keyId, key };
}

/** Revokes a key from the next request on. Returns false if there is no such key, or it is already revoked. */
export async function revokeKey(database: Database, keyId: string): Promise<boolean> {
  return isId('key', keyId) && (await revokeApiKey(database, keyId));
}

/** Like `revokeKey`, for a key of this project only. */
export async function revokeProjectKey(
  database: Database,
  { projectId, keyId }: { projectId: string; keyId: string },
): Promise<boolean> {
  return isId('key', keyId) && (await revokeApiKey(database, keyId, projectId));
}

const touchKeyEveryMs = 60_000;

/** Finds a usable key and records its use. Not cached: a revoked key is refused on the next request. Looked up by digest, against timing attacks. */
export async function verifyKey(database: Database, secret: string): Promise<UsableApiKey | undefined> {
  if (!isWellFormedKey(secret)) return undefined;
  const apiKey = await findUsableApiKey(database, digestKey(secret));
  if (apiKey && isTouchDue(apiKey)) await recordApiKeyUse(database, apiKey.key_id);
  return apiKey;
}

const isTouchDue = ({ last_used_at: usedAt }: ApiKey) => !usedAt || Date.now() - usedAt.getTime() > touchKeyEveryMs;
