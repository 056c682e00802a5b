import { afterAll, beforeAll, expect, test } from 'vitest';
import { createProject } from '../../../harness/create-project.ts';
import { acceptMention } from '../../../src/deliveries/mentions/accept-mention.ts';
import { archiveJob } from '../../../src/jobs/archive-job.ts';
import { inTransaction } from '../../../src/store/store.ts';
import { updateJob } from '../../../src/store/tables/jobs/jobs.ts';
import { insertRun, updateRun } from '../../../src/store/tables/jobs/runs.ts';
import { findProject } from '../../../src/store/tables/repositories/projects.ts';
import { createTestDatabase, type TestDatabase } from '../../support/databases/database.ts';

let made: TestDatabase;
beforeAll(async () => {
  made = await createTestDatabase();
});
afterAll(() => made[Symbol.asyncDispose]());

let repositoryId = 100;

/** A project, and mentions on its issue 12. */
async function openIssue() {
  const { database, store } = made;
  repositoryId += 1;
  const { projectId } = await createProject(database, { repositoryId });
  const project = await findProject(database, projectId);
  if (!project) throw new Error('there is a project');
  const mention = (nth: number, { tokensPerMonth = 0, writtenAt = new Date() } = {}) =>
    inTransaction(store, (storeTx) =>
      acceptMention(
        storeTx,
        {
          project,
          prompt: `Mention ${nth}.`,
          base: null,
          changes: [],
          conversation: { kind: 'issue', number: 12, title: 'Limits', author: 'sam', text: 'It is 100.' },
          trigger: {
            source: 'issue',
            sourceKey: `comment:${nth}`,
            person: { login: 'rita', userId: 5 },
            deliveryId: `delivery-${nth}`,
            writtenAt,
            comments: [{ on: 'comment', commentId: nth }],
          },
        },
        { limits: { rateLimit: 0, tokensPerMonth }, models: ['gpt-5'] },
      ),
    );
  const jobs = () =>
    database.selectFrom('jobs').selectAll().where('project_id', '=', projectId).orderBy('created_at').execute();
  return {
    mention,
    jobs,
    messages: async () => {
      const ids = (await jobs()).map(({ job_id: jobId }) => jobId);
      const rows = await database
        .selectFrom('messages')
        .selectAll()
        .where('job_id', 'in', ids)
        .orderBy('seq')
        .execute();
      return rows.map(({ source_key: key, context }) => [key, context?.conversation?.refusal?.code]);
    },
    effects: async () => {
      const ids = (await jobs()).map(({ job_id: jobId }) => jobId);
      return database.selectFrom('effects').selectAll().where('job_id', 'in', ids).execute();
    },
  };
}

test('promise 8: a mention that is delivered twice, or again after its job has ended, is one message', async () => {
  const { mention, jobs, messages } = await openIssue();
  expect(await mention(1)).toBeUndefined();
  expect(await mention(1)).toBe('the mention is already a message');
  const [job] = await jobs();
  await inTransaction(made.store, (store) => archiveJob(store, job?.job_id ?? '', 'closed'));
  expect(await mention(1)).toBe('the mention is already a message');
  expect(await messages()).toEqual([['comment:1', undefined]]);
  expect(await mention(2)).toBeUndefined();
  expect(await jobs()).toMatchObject([{ status: 'archived' }, { status: 'active', asked_on: 12 }]);
});

test('promise 15: mentions that arrive at once are messages of one job, and one before the stop is not', async () => {
  const { mention, jobs, messages } = await openIssue();
  await Promise.all([mention(1), mention(2), mention(3)]);
  expect((await messages()).map(([key]) => key).toSorted()).toEqual(['comment:1', 'comment:2', 'comment:3']);
  const [job, ...others] = await jobs();
  expect(others).toEqual([]);
  await updateJob(made.database, job?.job_id ?? '', { stopped_at: new Date() });
  const before = new Date(Date.now() - 60_000);
  expect(await mention(4, { writtenAt: before })).toBe('stopped after it was written');
});

test('a mention beyond the budget of the month becomes a job that only says so, and a follow-up gets a comment on the issue', async () => {
  const { mention, jobs, messages, effects } = await openIssue();
  await mention(1);
  const [job] = await jobs();
  const run = await insertRun(made.database, job?.job_id ?? '');
  await updateRun(made.database, run.run_id, { tokens_in: 1_000 });
  expect(await mention(2, { tokensPerMonth: 1_000 })).toBe('the project has used up its tokens of this month');
  const said = (await effects()).find(({ key }) => key === 'comment:2:budget');
  expect(said?.request).toMatchObject({ kind: 'comment', pullRequest: 12, issueOf: repositoryId });
  await inTransaction(made.store, (store) => archiveJob(store, job?.job_id ?? '', 'closed'));
  expect(await mention(3, { tokensPerMonth: 1_000 })).toBeUndefined();
  expect(await messages()).toContainEqual(['comment:3', 'budget_exhausted']);
});
