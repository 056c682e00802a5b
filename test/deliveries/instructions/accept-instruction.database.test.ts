import { afterAll, beforeAll, expect, test } from 'vitest';
import { createProject } from '../../../harness/create-project.ts';
import { acceptInstruction } from '../../../src/deliveries/instructions/accept-instruction.ts';
import type { Trigger } from '../../../src/deliveries/instructions/trigger.ts';
import { inTransaction } from '../../../src/store/store.ts';
import { updateJob } from '../../../src/store/tables/jobs/jobs.ts';
import { listMessages } from '../../../src/store/tables/jobs/messages.ts';
import { insertRun, updateRun } from '../../../src/store/tables/jobs/runs.ts';
import { findProject } from '../../../src/store/tables/repositories/projects.ts';
import { createTestDatabase, type TestDatabase } from '../../support/databases/database.ts';
import { makeJob } from '../../support/databases/jobs.ts';

let made: TestDatabase;
beforeAll(async () => {
  made = await createTestDatabase();
});
afterAll(() => made[Symbol.asyncDispose]());

test('an instruction beyond the budget of the month is not accepted, and one comment says why', async () => {
  const { database, store } = made;
  const { projectId } = await createProject(database);
  const { job_id: jobId } = await makeJob(store, projectId, 'completed');
  const job = await updateJob(database, jobId, { pull_request_number: 7 });
  const run = await insertRun(database, jobId);
  await updateRun(database, run.run_id, { tokens_in: 900, tokens_out: 100 });
  const project = await findProject(database, projectId);
  if (!project) throw new Error('there is a project');
  const trigger = (nth: number): Trigger => ({
    source: 'comment',
    sourceKey: `comment:${nth}`,
    person: { login: 'rita', userId: 5 },
    deliveryId: `delivery-${nth}`,
    writtenAt: new Date(),
    comments: [],
  });
  const ask = (nth: number, tokensPerMonth: number) =>
    inTransaction(store, (storeTx) =>
      acceptInstruction(
        storeTx,
        { project, job, number: 7 },
        trigger(nth),
        { prompt: 'More.' },
        { limits: { rateLimit: 0, tokensPerMonth } },
      ),
    );
  const effects = () => database.selectFrom('effects').selectAll().where('job_id', '=', jobId).execute();

  expect(await ask(1, 1_001)).toBeUndefined();
  expect(await ask(2, 1_000)).toBe('the project has used up its tokens of this month');
  expect((await listMessages(database, jobId)).map(({ source_key }) => source_key)).toEqual(['comment:1']);
  expect(await effects()).toMatchObject([
    {
      key: 'comment:2:budget',
      request: { body: expect.stringContaining('used up its budget of tokens for this month') },
    },
  ]);
});
