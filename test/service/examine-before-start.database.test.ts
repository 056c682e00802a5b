import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { toUrl } from '../../harness/world.ts';
import { parseStart } from '../../src/config/config.ts';
import { examineBeforeStart } from '../../src/service/examine-before-start.ts';
import { createTestDatabase } from '../support/databases/database.ts';

// Fast: one connection to the database, and a model server that does not answer.
test('a database that works is found to work before an App is registered', async () => {
  await using db = await createTestDatabase();
  const start = parseStart({
    DATABASE_URL: toUrl(db.connection),
    DATA_DIR: await mkdtemp(join(tmpdir(), 'pagewright-test-')),
    OPENAI_API_KEY: 'sk-test',
    OPENAI_BASE_URL: 'http://127.0.0.1:9',
    OPENAI_MODEL: 'gpt-5',
    PUBLIC_URL: 'http://127.0.0.1:9',
  });
  if (start.kind === 'ready') throw new Error('an App is registered');
  const examined = await examineBeforeStart(start.settings, AbortSignal.timeout(30_000));
  expect(examined.find(({ part }) => part === 'database')).toMatchObject({ state: 'ok' });
});
