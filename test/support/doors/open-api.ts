import { afterAll } from 'vitest';
import { createTestDatabase } from '../databases/database.ts';
import { startApi } from './api.ts';

/** The API on a database of its own, for the tests of a file: make it at the file's top. */
export async function openApi(settings: Partial<Parameters<typeof startApi>[0]> = {}) {
  const db = await createTestDatabase();
  const api = await startApi({ store: db.store, ...settings });
  afterAll(async () => {
    await api[Symbol.asyncDispose]();
    await db[Symbol.asyncDispose]();
  });
  return { db, api };
}
