import { expect, test } from 'vitest';
import { listDueLooks, makeLookDue, readDueLook, storeLook } from '../../../src/store/tables/jobs/verdicts.ts';
import { acceptJob } from '../../support/databases/jobs.ts';
import { setUpProject } from '../../support/databases/set-up-project.ts';

const db = setUpProject();
const settled = { afterMs: null, hasFailed: false };
const sha = 'a'.repeat(40);

async function look(jobId: string) {
  const looked = await readDueLook(db.database, jobId);
  if (!looked) throw new Error('no look is due');
  return looked;
}

test('what a webhook tells while GitHub is asked is asked for once more', async () => {
  const { job_id: jobId } = await acceptJob(db.store, db.projectId);
  await makeLookDue(db.database, { jobId, sha, afterMs: 0 });
  const first = await look(jobId);
  await new Promise((resolve) => setTimeout(resolve, 5));
  expect(await makeLookDue(db.database, { jobId, sha, afterMs: 2_000 })).toBe(true);
  await storeLook(db.database, first, settled);
  expect(await listDueLooks(db.store, 10)).toEqual([jobId]);
  await storeLook(db.database, await look(jobId), settled);
  expect(await listDueLooks(db.store, 10)).toEqual([]);
});

test('many webhooks ask for one look', async () => {
  const { job_id: jobId } = await acceptJob(db.store, db.projectId);
  const told = { jobId, sha, afterMs: 60_000 };
  expect(await makeLookDue(db.database, told)).toBe(true);
  expect(await makeLookDue(db.database, told)).toBe(false);
});
