import { afterAll, beforeAll, expect, test } from 'vitest';
import { describeAutomations } from '../../src/automations/describe-automations.ts';
import { pauseAutomation, resumeAutomation } from '../../src/automations/pause-automation.ts';
import { runDue, sendDueAutomations } from '../../src/automations/run-due.ts';
import { archiveJob } from '../../src/jobs/archive-job.ts';
import { inTransaction } from '../../src/store/store.ts';
import { listDueAutomations, updateAutomation } from '../../src/store/tables/automations/automations.ts';
import { createTestDatabase, type TestDatabase } from '../support/databases/database.ts';
import { createAutomated, createAutomationParts, tellOccasions } from './tell-occasions.ts';

let db: TestDatabase;
beforeAll(async () => {
  db = await createTestDatabase();
});
afterAll(() => db[Symbol.asyncDispose]());

const { signal } = new AbortController();
const weekly = "  tidy:\n    on: {schedule: '0 6 * * 1', timezone: Europe/Berlin}\n    prompt: Tidy up.\n";

test('promise 38: occasions that are told twice, late and in any order are taken up once', async () => {
  const parts = createAutomationParts(db.store);
  let seed = 7;
  const random = () => {
    seed = (seed * 16_807) % 2_147_483_647;
    return seed / 2_147_483_647;
  };
  const titles = await tellOccasions(parts, { projects: 3, occasions: 8, times: 3, random });
  expect(titles).toHaveLength(24);
  expect(new Set(titles).size).toBe(24);
  expect(await listDueAutomations(db.store, 10)).toEqual([]);
});

test('promise 38: a schedule that was missed for weeks runs once, late, and then at its next time', async () => {
  const parts = createAutomationParts(db.store);
  const projectId = await createAutomated(db.store, 101, weekly);
  const key = { projectId, name: 'tidy' };
  await updateAutomation(db.database, key, { scheduled_at: new Date(Date.now() - 30 * 24 * 3600_000) });
  expect(await listDueAutomations(db.store, 10)).toEqual([key]);
  await runDue(parts, key, signal);
  await runDue(parts, key, signal);
  const jobs = db.database.selectFrom('jobs').select(['job_id', 'automation']).where('project_id', '=', projectId);
  expect(await jobs.execute()).toMatchObject([{ automation: 'tidy' }]);
  const [state] = await describeAutomations(db.database, projectId);
  expect(state?.nextRunAt?.getUTCDay()).toBe(1);
  expect(state?.nextRunAt?.getTime()).toBeGreaterThan(Date.now());
});

test('beyond the limit of the day occasions wait, and the automation says so', async () => {
  const parts = createAutomationParts(db.store, 0);
  const projectId = await createAutomated(db.store, 102, weekly);
  const key = { projectId, name: 'tidy' };
  await updateAutomation(db.database, key, { scheduled_at: new Date(Date.now() - 1_000) });
  await runDue(parts, key, signal);
  const [state] = await describeAutomations(db.database, projectId);
  expect(state).toMatchObject({ state: 'active', waiting: 1, problem: expect.stringContaining('is the limit') });
  expect(state?.nextRunAt?.toISOString()).toMatch(/T00:00:00/);
});

test('the times of a schedule pass while it is paused', async () => {
  const projectId = await createAutomated(db.store, 103, weekly);
  const key = { projectId, name: 'tidy' };
  await pauseAutomation(db.store, key);
  await updateAutomation(db.database, key, { scheduled_at: new Date(Date.now() - 1_000) });
  await sendDueAutomations(db.store, signal);
  await runDue(createAutomationParts(db.store), key, signal);
  expect(await describeAutomations(db.database, projectId)).toMatchObject([{ state: 'paused', waiting: 0 }]);
  await resumeAutomation(db.store, key);
  const [resumed] = await describeAutomations(db.database, projectId);
  expect(resumed).toMatchObject({ state: 'active', waiting: 0 });
  expect(resumed?.nextRunAt?.getTime()).toBeGreaterThan(Date.now());
});

test('promise 38: what nobody answered before the pull request was merged goes to the next job', async () => {
  const parts = createAutomationParts(db.store);
  const projectId = await createAutomated(db.store, 104, weekly);
  const key = { projectId, name: 'tidy' };
  await updateAutomation(db.database, key, { scheduled_at: new Date(Date.now() - 1_000) });
  await runDue(parts, key, signal);
  const jobs = db.database.selectFrom('jobs').selectAll().where('project_id', '=', projectId).orderBy('created_at');
  const [first] = await jobs.execute();
  await inTransaction(db.store, (store) => archiveJob(store, first?.job_id ?? '', 'merged'));
  await runDue(parts, key, signal);
  expect((await jobs.execute()).map(({ status }) => status)).toEqual(['archived', 'active']);
});
