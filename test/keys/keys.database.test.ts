import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createProject } from '../../harness/create-project.ts';
import { generateKey } from '../../src/keys/key-format.ts';
import { createKey, revokeKey, verifyKey } from '../../src/keys/project-keys.ts';
import { findProject, markProjectRemoved } from '../../src/store/tables/repositories/projects.ts';
import { createTestDatabase, type TestDatabase } from '../support/databases/database.ts';

let db: TestDatabase;

beforeAll(async () => {
  db = await createTestDatabase();
});

afterAll(() => db[Symbol.asyncDispose]());

test('promise 26: a key works, and the stored row does not reveal it', async () => {
  const { key, keyId, projectId } = await createProject(db.database, { name: 'deploy' });
  expect(await verifyKey(db.database, key)).toMatchObject({ key_id: keyId, project_id: projectId, name: 'deploy' });
  const { rows } = await sql<{ everything: string }>`
    select string_agg(k::text, ' ') as everything from api_keys k`.execute(db.database);
  expect(rows[0]?.everything).not.toContain(key.slice(11, 40));
  expect(rows[0]?.everything).toContain(key.slice(-4));
});

test('promise 26: a revoked key is refused right after', async () => {
  const { key, keyId } = await createProject(db.database);
  expect(await revokeKey(db.database, keyId)).toBe(true);
  expect(await verifyKey(db.database, key)).toBeUndefined();
  expect(await revokeKey(db.database, keyId)).toBe(false);
});

test('promise 26: a key is refused from the moment it expires', async () => {
  const { key, keyId } = await createProject(db.database, { expiresAt: new Date(Date.now() + 60_000) });
  expect(await verifyKey(db.database, key)).toBeDefined();
  await db.database.updateTable('api_keys').set({ expires_at: sql<Date>`now()` }).where('key_id', '=', keyId).execute();
  expect(await verifyKey(db.database, key)).toBeUndefined();
});

test('an unknown key is refused', async () => {
  expect(await verifyKey(db.database, generateKey())).toBeUndefined();
});

test.each(['', 'key_', 'prj_01jd2x7q1hexaatpv3g5d9smwn', 'key_\0', `key_${'x'.repeat(26)}`])(
  'there is no key %j to revoke',
  async (keyId) => {
    expect(await revokeKey(db.database, keyId)).toBe(false);
  },
);

test('the use of a key is recorded at most once a minute', async () => {
  const { key, keyId } = await createProject(db.database);
  const usedAt = async () =>
    (
      await db.database
        .selectFrom('api_keys')
        .select('last_used_at')
        .where('key_id', '=', keyId)
        .executeTakeFirstOrThrow()
    ).last_used_at;
  const use = async () => {
    await verifyKey(db.database, key);
    return usedAt();
  };
  expect(await usedAt()).toBeNull();
  const first = await use();
  expect(first).toBeInstanceOf(Date);
  expect(await use()).toEqual(first);
  const longAgo = new Date(Date.now() - 120_000);
  await db.database.updateTable('api_keys').set({ last_used_at: longAgo }).where('key_id', '=', keyId).execute();
  expect((await use())?.getTime()).toBeGreaterThan(longAgo.getTime() + 60_000);
});

test('two keys of a repository belong to one project, under its newest name', async () => {
  const first = await createProject(db.database, { repositoryId: 5, repo: 'old-name' });
  const second = await createProject(db.database, { repositoryId: 5, repo: 'new-name' });
  expect(second.projectId).toBe(first.projectId);
  expect(second.key).not.toBe(first.key);
  expect(await findProject(db.database, first.projectId)).toMatchObject({ repo: 'new-name' });
});

test('a key for a removed repository restores its project', async () => {
  const { projectId } = await createProject(db.database, { repositoryId: 6 });
  await markProjectRemoved(db.database, projectId);
  await createProject(db.database, { repositoryId: 6 });
  expect(await findProject(db.database, projectId)).toMatchObject({ removed_at: null });
});

test('no key is created if the App is not installed', async () => {
  const count = () => db.database.selectFrom('api_keys').select('key_id').execute();
  const before = await count();
  const created = await createKey({
    database: db.database,
    findInstalledRepository: async () => undefined,
    owner: 'acme',
    repo: 'unknown',
    name: 'ci',
    expiresAt: null,
  });
  expect(created).toBeUndefined();
  expect(await count()).toEqual(before);
});
