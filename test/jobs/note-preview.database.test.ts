import { expect, test } from 'vitest';
import { notePreview } from '../../src/jobs/note-preview.ts';
import { inTransaction } from '../../src/store/store.ts';
import { listEffects, markEffectDone } from '../../src/store/tables/jobs/effects.ts';
import { updateJob } from '../../src/store/tables/jobs/jobs.ts';
import { makeJob } from '../support/databases/jobs.ts';
import { setUpProject } from '../support/databases/set-up-project.ts';

const db = setUpProject();

test.each([
  ['found the pull request closed wrote no preview, so the next one is the first', 7, '', true],
  ['wrote a preview, so the next one only updates it', 8, '8', false],
])('one that %s', async (_what, number, externalId, isFirst) => {
  const { job_id: jobId } = await makeJob(db.store, db.projectId, 'completed');
  const job = await updateJob(db.database, jobId, { pull_request_number: number });
  const note = (sha: string) =>
    inTransaction(db.store, (store) => notePreview(store, job, { url: 'https://docs.example.com', sha }));
  await note('a'.repeat(40));
  const [first] = await listEffects(db.database, jobId);
  const response = { externalId, ...(externalId === '' && { gone: true }) };
  await markEffectDone(db.database, { jobId, key: first?.key ?? '', response, externalId });
  await note('b'.repeat(40));
  const effects = await listEffects(db.database, jobId);
  expect(effects.map(({ request }) => request)).toMatchObject([{ isFirst: true }, { isFirst }]);
});

test('an address that comes back after another one is promised again, and told twice it is not', async () => {
  const { job_id: jobId } = await makeJob(db.store, db.projectId, 'completed');
  const job = await updateJob(db.database, jobId, { pull_request_number: 9 });
  const [one, other] = ['https://one.example.com/', 'https://other.example.com/'];
  for (const url of [one, one, other, one, one])
    await inTransaction(db.store, (store) => notePreview(store, job, { url, sha: 'a'.repeat(40) }));
  const sections = (await listEffects(db.database, jobId)).map(({ request }) => JSON.stringify(request));
  expect(sections.map((text) => text.includes(one))).toEqual([true, false, true]);
});
