import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { z } from 'zod';
import { eventually } from '../../../harness/eventually.ts';
import { edit, finish } from '../../../harness/script-steps.ts';
import { steps } from '../../../local/model/script.ts';
import { findJob, updateJob } from '../../../src/store/tables/jobs/jobs.ts';
import { jobShape, problemShape } from '../../support/doors/api.ts';
import { openStage, type Stage } from '../../support/worlds/conversation.ts';

const cheerUp = steps([edit('index.md', 'Welcome.', 'Welcome!'), finish('It is happier now.')]);

let stage: Stage;
let opened = 0;
beforeAll(async () => {
  stage = await openStage();
});
afterAll(() => stage[Symbol.asyncDispose]());

/** An archived job in a repository of its own. */
async function openArchived(query = '') {
  opened += 1;
  const made = await stage.openIn(`archive-${opened}`, [cheerUp]);
  const post = async (path: string) => {
    const url = `${made.service.url}/v2/agent/${made.world.projectId}/job/${made.id}/${path}`;
    const answer = await fetch(url, { method: 'POST', headers: { authorization: `Bearer ${made.world.key}` } });
    return { status: answer.status, headers: answer.headers, body: (await answer.json()) as unknown };
  };
  const state = async () => (await made.github.pullRequest(made.number)).state;
  return { ...made, post, state, archived: await post(`archive${query}`) };
}

const refusalOf = ({ status, body }: { status: number; body: unknown }) => {
  const { type, detail } = problemShape.parse(body);
  return [status, type.replace('urn:pagewright:problem:', ''), detail];
};

test.concurrent('an archived job whose pull request is open is unarchived, and takes messages again', async () => {
  const made = await openArchived();
  expect(made.archived.headers.get('pagewright-result')).toBe('archived');
  expect(await made.state()).toBe('open');
  const { status, body, headers } = await made.post('unarchive');
  expect(headers.get('pagewright-result')).toBe('unarchived');
  expect([status, jobShape.parse(body)]).toMatchObject([200, { status: 'completed', archivedAt: null }]);
  const again = await made.post('unarchive');
  expect(again.headers.get('pagewright-result')).toBe('unchanged');
  expect([again.status, again.body]).toEqual([200, body]);
  await made.caller.message(made.id, 'Happier, please.');
  expect(await made.untilRuns(2)).toMatchObject([{ code: 'published' }, { code: 'published' }]);
});

test.concurrent('a job that is not archived is unchanged, though its pull request is closed unseen', async () => {
  const made = await openArchived();
  await made.post('unarchive');
  const { status, body } = await made.post('unarchive');
  expect([status, jobShape.parse(body).status]).toEqual([200, 'completed']);
});

test.concurrent('a pull request that was closed after archiving keeps the job archived, with or without its webhook', async () => {
  const made = await openArchived();
  await made.rita.closePullRequest(made.name, made.number);
  const refused = [409, 'pull-request-closed', expect.stringContaining('Reopen it on GitHub')];
  expect(refusalOf(await made.post('unarchive'))).toEqual(refused);
  await made.untilQuiet();
  expect(refusalOf(await made.post('unarchive'))).toEqual(refused);
  expect((await made.caller.get(made.id)).status).toBe('archived');
  await made.rita.reopenPullRequest(made.name, made.number);
  await made.caller.until(made.id, ({ status }) => status === 'completed');
});

test.concurrent('a merged pull request keeps the job archived', async () => {
  const made = await openArchived();
  await made.rita.mergePullRequest(made.name, made.number);
  const merged = expect.stringContaining('was merged');
  expect(refusalOf(await made.post('unarchive'))).toEqual([409, 'pull-request-closed', merged]);
});

test.concurrent('a repository that is gone keeps the job archived, known to Pagewright or not', async () => {
  const made = await openArchived();
  made.world.github.removeFromInstallation(made.world.installationId, ['docs']);
  const gone = [409, 'repository-gone', expect.stringContaining('Install the GitHub App')];
  expect(refusalOf(await made.post('unarchive'))).toEqual(gone);
  await made.world.github.deliveries.settled();
  expect(refusalOf(await made.post('unarchive'))).toEqual(gone);
});

test.concurrent('without GitHub the answer is 503, and nothing changes', async () => {
  const made = await openArchived();
  const down = made.world.github.inject({
    path: new RegExp(`^/repos/${made.name}/pulls/`),
    kind: 'before',
    times: 100,
  });
  const answer = await made.post('unarchive');
  expect(refusalOf(answer)).toEqual([503, 'unavailable', expect.stringContaining('GitHub does not answer')]);
  expect(answer.headers.get('retry-after')).toBe('5');
  expect(down.hits()).toBeGreaterThan(0);
  expect((await made.caller.get(made.id)).status).toBe('archived');
});

test.concurrent('archiving with ?close=true closes the pull request once, recorded with who asked', async () => {
  const made = await openArchived('?close=true');
  expect(made.archived.headers.get('pagewright-result')).toBe('closing');
  expect(jobShape.parse(made.archived.body).status).toBe('archived');
  await eventually(async () => (await made.state()) === 'closed' || undefined);
  const again = await made.post('archive?close=true');
  expect(again.body).toEqual(made.archived.body);
  await made.untilQuiet();
  expect((await made.post('archive?close=true')).headers.get('pagewright-result')).toBe('unchanged');
  const { effects } = z
    .looseObject({ effects: z.array(z.looseObject({ kind: z.string() })) })
    .parse(await made.caller.runs(made.id));
  expect(effects.filter(({ kind }) => kind === 'close')).toMatchObject([
    { state: 'done', externalId: String(made.number), askedBy: [{ author: 'ci', source: 'api', deliveryId: null }] },
  ]);
  expect(made.world.github.duplicates()).toEqual([]);
  expect((await made.comments()).filter(({ body }) => body?.includes('was closed'))).toEqual([]);
});

test.concurrent('a job that was archived before is closed when it is asked for, also by its branch alone', async () => {
  const made = await openArchived();
  const { database } = made.world.database;
  const job = await findJob(database, { projectId: made.world.projectId, jobId: made.id });
  await updateJob(database, made.id, { pull_request_number: null });
  expect((await made.post('archive?close=false')).headers.get('pagewright-result')).toBe('unchanged');
  expect((await made.post('archive?close=true')).headers.get('pagewright-result')).toBe('closing');
  await updateJob(database, made.id, { pull_request_number: job?.pull_request_number ?? null });
  // Otherwise it waits half a minute for a run that may still open the pull request.
  const mine = sql`name = 'answer' and data ->> 'jobId' = ${made.id}`;
  await sql`update pgboss.job set start_after = now() where ${mine}`.execute(database);
  await eventually(async () => (await made.state()) === 'closed' || undefined, { withinMs: 60_000 });
});

test.concurrent('archiving with a bad parameter changes nothing', async () => {
  const made = await openArchived('?close=yes');
  expect(refusalOf(made.archived)).toEqual([
    400,
    'invalid-request',
    expect.stringContaining('close must be true or false'),
  ]);
  expect((await made.caller.get(made.id)).status).toBe('completed');
});
