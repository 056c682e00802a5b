import { afterAll, beforeAll, beforeEach } from 'vitest';
import { createProject } from '../../../harness/create-project.ts';
import { createTestDatabase, type TestDatabase } from './database.ts';

/**
 * A database of its own with one project, for the tests of the file that calls this at its top: what it returns is there in tests and
 * hooks, not before. No job of an earlier test is due, and nobody holds one, when the next begins.
 */
export function setUpProject(): Pick<TestDatabase, 'connection' | 'database' | 'store'> & {
  readonly projectId: string;
} {
  let made: TestDatabase;
  let projectId: string;
  beforeAll(async () => {
    made = await createTestDatabase();
    ({ projectId } = await createProject(made.database));
  });
  beforeEach(async () => {
    await made.database.updateTable('jobs').set({ due_at: null, lease_owner: null, lease_until: null }).execute();
  });
  afterAll(() => made[Symbol.asyncDispose]());
  return {
    get connection() {
      return made.connection;
    },
    get database() {
      return made.database;
    },
    get store() {
      return made.store;
    },
    get projectId() {
      return projectId;
    },
  };
}
