import pg from 'pg';
import { afterAll, expect, test } from 'vitest';
import { createProject } from '../../../harness/create-project.ts';
import { createTestDatabase } from '../../support/databases/database.ts';
import { acceptJob } from '../../support/databases/jobs.ts';
import { startApi } from '../../support/doors/api.ts';

const { connect } = pg.Pool.prototype;
let taken = 0;

const db = await createTestDatabase();
const api = await startApi({ store: db.store });
const project = await createProject(db.database);
const { key } = project;
const jobs = `/v2/agent/${project.projectId}/job`;
const job = `${jobs}/${(await acceptJob(db.store, project.projectId)).job_id}`;
// The first use of a key is written.
await api.call('GET', job, { key });
Object.assign(pg.Pool.prototype, {
  connect(this: pg.Pool, ...args: unknown[]): unknown {
    taken += 1;
    return Reflect.apply(connect, this, args);
  },
});
afterAll(async () => {
  Object.assign(pg.Pool.prototype, { connect });
  await api[Symbol.asyncDispose]();
  await db[Symbol.asyncDispose]();
});

test.each([
  ['a job', () => job, 200],
  ['a job that does not exist', () => `${job.slice(0, -1)}!`, 404],
  ['a list', () => jobs, 200],
])('a request for %s takes one connection, for the key and for what it reads', async (_name, path, status) => {
  const before = taken;
  expect((await api.call('GET', path(), { key })).status).toBe(status);
  expect(taken - before).toBe(1);
});

test('a request without a key takes none, and one with a bad key answers the same', async () => {
  const before = taken;
  expect((await api.call('GET', job)).status).toBe(401);
  expect(taken - before).toBe(0);
  expect((await api.call('GET', job, { key: `${key.slice(0, -1)}!` })).status).toBe(401);
});

test('whoever sends a body slowly holds no connection', async () => {
  const before = taken;
  const body = { prompt: 'Write a page.' };
  expect((await api.call('POST', jobs, { key, body })).status).toBe(201);
  // One for the key, and one for the job when its body is there.
  expect(taken - before).toBe(2);
});
