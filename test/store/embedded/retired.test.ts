import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { assertNotRetired, findUnusedCluster, retire } from '../../../src/store/embedded/cluster.ts';

let dataDir: string;
let cluster: string;

beforeEach(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'pagewright-retired-'));
  cluster = join(dataDir, 'postgres');
  await mkdir(cluster);
});
afterEach(() => rm(dataDir, { recursive: true }));

test('a database that was moved says where to, and how to go back', async () => {
  await assertNotRetired(cluster);
  await assertNotRetired(join(dataDir, 'none'));
  await retire(cluster, 'db.example.com/pagewright');
  await expect(assertNotRetired(cluster)).rejects.toThrow(
    `the database in ${cluster} was moved to db.example.com/pagewright: set DATABASE_URL to it; to go back and lose what was accepted since, remove ${join(cluster, 'pagewright-moved')}`,
  );
});

test('a database whose mark cannot be read counts as moved', async () => {
  await mkdir(join(cluster, 'pagewright-moved'));
  await expect(assertNotRetired(cluster)).rejects.toThrow('EISDIR');
});

test('a database is unused if DATABASE_URL names another one, and it was not moved there', async () => {
  const databaseUrl = 'postgresql://db.example.com/pagewright';
  expect(findUnusedCluster({ dataDir, databaseUrl })).toBeUndefined();
  await writeFile(join(cluster, 'PG_VERSION'), '18\n');
  expect(findUnusedCluster({ dataDir, databaseUrl })).toBe(cluster);
  expect(findUnusedCluster({ dataDir, databaseUrl: null })).toBeUndefined();
  await retire(cluster, 'db.example.com/pagewright');
  expect(findUnusedCluster({ dataDir, databaseUrl })).toBeUndefined();
});
