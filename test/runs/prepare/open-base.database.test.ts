import { expect, test } from 'vitest';
import { openBase } from '../../../src/runs/prepare/base-commit.ts';
import type { RunContext } from '../../../src/runs/run-context.ts';
import { addRunWarning, findRun } from '../../../src/store/tables/jobs/runs.ts';
import { acceptJob, beginWork } from '../../support/databases/jobs.ts';
import { setUpProject } from '../../support/databases/set-up-project.ts';

const db = setUpProject();

test('mistakes in the settings keep a warning that was stored while the run prepared', async () => {
  const job = await acceptJob(db.store, db.projectId);
  const { lease, run } = await beginWork(db.store);
  await addRunWarning(db.database, run.run_id, 'acme does not grant `checks: write`.');
  const { signal: work } = new AbortController();
  const context = { parts: { database: db.database }, lease, job, run, signals: { work } } as RunContext;
  const mirror = { directory: '', baseSha: 'a'.repeat(40), branchSha: null, defaultSha: null };
  await openBase(context, {
    mirror: { ...mirror, markDamaged: async () => {}, [Symbol.asyncDispose]: async () => {} },
    writeRules: {},
    pushRules: { isSigned: false, isLinear: false, forbid: {} },
    problems: ['`paths` is empty'],
  });
  const { warnings } = (await findRun(db.database, run.run_id)) ?? {};
  expect(warnings).toEqual(['acme does not grant `checks: write`.', '`paths` is empty']);
});
