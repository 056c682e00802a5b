import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createProject } from '../../../harness/create-project.ts';
import { listJobs } from '../../../src/store/lists/list-jobs.ts';
import { migrations } from '../../../src/store/migrate.ts';
import type { MessageSource } from '../../../src/store/tables/columns.ts';
import { appendMessage } from '../../../src/store/tables/jobs/messages.ts';
import { createTestDatabase, type TestDatabase } from '../../support/databases/database.ts';
import { acceptJob } from '../../support/databases/jobs.ts';

let db: TestDatabase;
let projectId: string;

beforeAll(async () => {
  db = await createTestDatabase();
  ({ projectId } = await createProject(db.database));
});
afterAll(() => db[Symbol.asyncDispose]());

const list = async (source: MessageSource) =>
  (await listJobs(db.database, { projectId, source }, { limit: 10, after: undefined })).items.map((job) => job.job_id);

test('a job is listed by each source of its messages, also of those that came before the column', async () => {
  const { job_id: first } = await acceptJob(db.store, projectId);
  const { job_id: second } = await acceptJob(db.store, projectId);
  const add = (jobId: string, source: MessageSource) =>
    appendMessage(db.database, { jobId, source, author: 'ada', prompt: 'Fix.' });
  const expected = { api: [second, first], dashboard: [], comment: [first], review: [second] };
  const listAll = async () => ({
    api: await list('api'),
    dashboard: await list('dashboard'),
    comment: await list('comment'),
    review: await list('review'),
  });
  for (const source of ['api', 'comment', 'comment'] as const) await add(first, source);
  await add(second, 'review');
  expect(await listAll()).toEqual(expected);

  await sql`drop trigger messages_source on messages`.execute(db.database);
  await sql`drop function note_source`.execute(db.database);
  await sql`alter table jobs drop column sources`.execute(db.database);
  await db.database.transaction().execute(async (tx) => migrations['0010-sources']?.up(tx));
  expect(await listAll()).toEqual(expected);
});
