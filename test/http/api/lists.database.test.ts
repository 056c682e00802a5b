import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { createProject } from '../../../harness/create-project.ts';
import { addMessage } from '../../../src/jobs/add-message.ts';
import { updateJob } from '../../../src/store/tables/jobs/jobs.ts';
import { appendMessage, takeMessages } from '../../../src/store/tables/jobs/messages.ts';
import { insertRun, markRunEnded, updateRun } from '../../../src/store/tables/jobs/runs.ts';
import { insertTurn, storeAnswer, storeCompacted, storeResults } from '../../../src/store/tables/jobs/turns.ts';
import { acceptJob, makeJob } from '../../support/databases/jobs.ts';
import { jobShape, problemShape, type RunningApi, startApi } from '../../support/doors/api.ts';
import { openApi } from '../../support/doors/open-api.ts';

const { db, api } = await openApi({ redact: (text) => text.replaceAll('sk-secret', '[secret]') });

let repositoryId = 0;
async function createCaller() {
  repositoryId += 1;
  const { projectId, key } = await createProject(db.database, { repositoryId, repo: `docs-${repositoryId}` });
  const get = (path: string) => api.call('GET', `/v2/agent/${projectId}${path}`, { key });
  return { projectId, get };
}
type Caller = Awaited<ReturnType<typeof createCaller>>;

const jobsPage = z.strictObject({ jobs: z.array(jobShape), nextCursor: z.string().nullable() });
const readJobs = async ({ get }: Caller, query = '') => {
  const answer = await get(`/job${query}`);
  expect(answer.status, answer.text).toBe(200);
  return jobsPage.parse(answer.body);
};
const invalid = problemShape.extend({ errors: z.array(z.strictObject({ parameter: z.string(), detail: z.string() })) });

/** The ids on each page, until `nextCursor` is null. */
async function readAll(caller: Caller, { limit, query = '' }: { limit: number; query?: string }): Promise<string[][]> {
  const pages: string[][] = [];
  let cursor = '';
  do {
    const page = await readJobs(caller, `?limit=${limit}${query}${cursor}`);
    pages.push(page.jobs.map(({ id }) => id));
    cursor = page.nextCursor === null ? '' : `&cursor=${page.nextCursor}`;
  } while (cursor !== '');
  return pages;
}

describe('the list of jobs', () => {
  test('is newest first, and holds the jobs of the project as they are read one by one', async () => {
    const caller = await createCaller();
    const other = await createCaller();
    await acceptJob(db.store, other.projectId);
    const first = await makeJob(db.store, caller.projectId, 'completed');
    const second = await makeJob(db.store, caller.projectId, 'active');
    const { jobs, nextCursor } = await readJobs(caller);
    expect(nextCursor).toBeNull();
    expect(jobs.map(({ id }) => id)).toEqual([second.job_id, first.job_id]);
    expect((await caller.get(`/job/${first.job_id}`)).body).toEqual(jobs[1]);
  });

  test('of a project without jobs is empty', async () => {
    expect(await readJobs(await createCaller())).toEqual({ jobs: [], nextCursor: null });
  });

  test('has 20 jobs on a page unless another limit is sent', async () => {
    const caller = await createCaller();
    for (let count = 0; count < 21; count += 1) await makeJob(db.store, caller.projectId, 'failed');
    const page = await readJobs(caller);
    expect(page.jobs).toHaveLength(20);
    expect((await readJobs(caller, `?cursor=${page.nextCursor}`)).jobs).toHaveLength(1);
    expect((await readJobs(caller, '?limit=21')).nextCursor).toBeNull();
    expect((await readJobs(caller, '?limit=100')).jobs).toHaveLength(21);
  });

  test('pages hold each job once, in order, none is empty, and jobs added meanwhile move none of them', async () => {
    const caller = await createCaller();
    const statuses = ['active', 'completed', 'failed', 'archived'] as const;
    const made: { id: string; status: (typeof statuses)[number] }[] = [];
    for (let count = 0; count < 12; count += 1) {
      const status = statuses[(count * 7) % 4] ?? 'active';
      made.push({ id: (await makeJob(db.store, caller.projectId, status)).job_id, status });
    }
    const newestFirst = made.toReversed();
    await fc.assert(
      fc.asyncProperty(fc.integer({ min: 1, max: 13 }), fc.subarray([...statuses]), async (limit, filter) => {
        const query = filter.length === 0 ? '' : `&status=${filter.join(',')}`;
        const pages = await readAll(caller, { limit, query });
        const wanted = newestFirst.filter(({ status }) => filter.length === 0 || filter.includes(status));
        expect(pages.flat()).toEqual(wanted.map(({ id }) => id));
        if (wanted.length > 0) expect(pages.every((page) => page.length > 0)).toBe(true);
      }),
      { numRuns: 25 },
    );
    const { jobs, nextCursor } = await readJobs(caller, '?limit=5');
    await acceptJob(db.store, caller.projectId);
    const rest = await readJobs(caller, `?limit=100&cursor=${nextCursor}`);
    expect([...jobs, ...rest.jobs].map(({ id }) => id)).toEqual(newestFirst.map(({ id }) => id));
  });

  test('can be asked for the job of a pull request', async () => {
    const caller = await createCaller();
    await makeJob(db.store, caller.projectId, 'completed');
    const { job_id: jobId } = await makeJob(db.store, caller.projectId, 'completed');
    await updateJob(db.database, jobId, {
      pull_request_number: 12,
      pull_request_url: 'https://github.com/a/b/pull/12',
    });
    expect((await readJobs(caller, '?pullRequest=12')).jobs.map(({ id }) => id)).toEqual([jobId]);
    expect((await readJobs(caller, '?pullRequest=12&status=failed')).jobs).toEqual([]);
    expect((await readJobs(caller, '?pullRequest=13')).jobs).toEqual([]);
  });

  test.each([
    ['limit=0', 'limit', 'a whole number from 1 to 100'],
    ['limit=101', 'limit', 'a whole number from 1 to 100'],
    ['limit=', 'limit', 'a whole number from 1 to 100'],
    ['limit=1e1', 'limit', 'a whole number from 1 to 100'],
    ['limit=-1', 'limit', 'a whole number from 1 to 100'],
    ['limit=5&limit=6', 'limit', 'must be sent once'],
    ['status=open', 'status', 'one or more of: active, completed, failed, archived'],
    ['status=', 'status', 'one or more of: active, completed, failed, archived'],
    ['status=active,', 'status', 'one or more of: active, completed, failed, archived'],
    ['pullRequest=0', 'pullRequest', 'the number of a pull request'],
    ['pullRequest=two', 'pullRequest', 'the number of a pull request'],
    ['pullRequest=99999999999', 'pullRequest', 'the number of a pull request'],
    ['cursor=', 'cursor', 'the `nextCursor` of a page of this list'],
    ['cursor=AAAAAAAAAAAAAAAAAAAAAAAAAAAA', 'cursor', 'the `nextCursor` of a page of this list'],
    ['stauts=active', 'stauts', 'did you mean `status`?'],
    ['state=active', 'state', 'did you mean `status`?'],
    ['per_page=5', 'per_page', 'did you mean `limit`?'],
    ['page=2', 'page', 'did you mean `cursor`?'],
    ['pull_request=5', 'pull_request', 'did you mean `pullRequest`?'],
    ['colour=red', 'colour', 'use only status, pullRequest, automation, limit, cursor'],
  ])('?%s is 400 that names the parameter and what is allowed', async (query, parameter, allowed) => {
    const { get } = await createCaller();
    const answer = await get(`/job?${query}`);
    expect(answer.status, answer.text).toBe(400);
    const { errors, detail } = invalid.parse(answer.body);
    expect(errors.map((error) => error.parameter)).toEqual([parameter]);
    expect(detail).toContain(parameter);
    expect(detail).toContain(allowed);
  });
});

describe('a cursor', () => {
  test('is refused changed, in another list, project or filter, and from another service', async () => {
    const caller = await createCaller();
    const other = await createCaller();
    const jobs = [];
    for (let count = 0; count < 3; count += 1) jobs.push(await makeJob(db.store, caller.projectId, 'failed'));
    const { nextCursor } = await readJobs(caller, '?limit=1');
    const cursor = nextCursor ?? '';
    const changed = [...cursor].map((_letter, at) => {
      const replaced = cursor[at] === 'A' ? 'B' : 'A';
      return `${cursor.slice(0, at)}${replaced}${cursor.slice(at + 1)}`;
    });
    for (const text of [...changed, `${cursor}A`, `${cursor}=`, cursor.slice(0, -1)])
      expect((await caller.get(`/job?cursor=${text}`)).status, text).toBe(400);
    expect((await other.get(`/job?cursor=${cursor}`)).status).toBe(400);
    expect((await caller.get(`/job?status=failed&cursor=${cursor}`)).status).toBe(400);
    expect((await caller.get(`/job/${jobs[0]?.job_id}/runs?cursor=${cursor}`)).status).toBe(400);
    expect((await caller.get(`/job?limit=7&cursor=${cursor}`)).status).toBe(200);
    await using elsewhere = await startApi({ store: db.store, cursorSecret: 'of another service' });
    const { key, projectId } = await createProject(db.database, { repositoryId });
    const ask = (where: RunningApi) => where.call('GET', `/v2/agent/${projectId}/job?cursor=${cursor}`, { key });
    expect(projectId).toBe(other.projectId);
    expect((await ask(elsewhere)).status).toBe(400);
  });

  test('is read by every process with the same secret', async () => {
    const { projectId, key } = await createProject(db.database, { repositoryId: 999, repo: 'shared' });
    for (let count = 0; count < 2; count += 1) await makeJob(db.store, projectId, 'failed');
    await using second = await startApi({ store: db.store });
    const path = `/v2/agent/${projectId}/job?limit=1`;
    const { nextCursor } = jobsPage.parse((await api.call('GET', path, { key })).body);
    expect((await second.call('GET', `${path}&cursor=${nextCursor}`, { key })).status).toBe(200);
  });
});

const publication = { summary: 'Fixed both.', replies: [{ message: 'msg_other', text: 'Not for this one.' }] };

test('the messages of a job are newest first, with the answers of their runs', async () => {
  const caller = await createCaller();
  const { job_id: jobId } = await acceptJob(db.store, caller.projectId, 'one');
  const add = async (prompt: string) => {
    const request = { jobId, projectId: caller.projectId, source: 'api', author: 'ci', prompt, rateLimit: 0 } as const;
    const added = await addMessage(db.store, request);
    if (added.kind !== 'accepted') throw new Error(added.kind);
    return added.message.message_id;
  };
  const second = await add('two');
  const run = await insertRun(db.database, jobId);
  const runId = run.run_id;
  await takeMessages(db.database, { jobId, runId, turnIndex: 0 });
  const replies = [...publication.replies, { message: second, text: 'Done as you said.' }];
  await updateRun(db.database, runId, { publication: JSON.stringify({ ...publication, replies }) });
  const read = async (query = '') => {
    const { status, body, text } = await caller.get(`/job/${jobId}/messages${query}`);
    expect(status, text).toBe(200);
    return z.strictObject({ messages: z.array(z.unknown()), nextCursor: z.string().nullable() }).parse(body);
  };
  const taken = { id: second, state: 'taken', source: 'api', author: 'ci', text: 'two', runId, answer: null };
  const created = { createdAt: expect.any(String) };
  expect((await read()).messages[0]).toEqual({ ...taken, ...created });
  await db.database.updateTable('messages').set({ state: 'answered' }).where('job_id', '=', jobId).execute();
  await markRunEnded(db.database, runId, { outcome: 'completed', code: 'published', sentence: 'It is published.' });
  await add('three');
  const answered = { ...taken, ...created, state: 'answered' };
  expect(await read()).toEqual({
    messages: [
      expect.objectContaining({ text: 'three', state: 'waiting', runId: null, answer: null }),
      { ...answered, answer: 'Done as you said.' },
      { ...answered, id: expect.any(String), text: 'one', answer: 'Fixed both.' },
    ],
    nextCursor: null,
  });
  const page = await read('?limit=2');
  expect(page.messages).toHaveLength(2);
  expect((await read(`?limit=2&cursor=${page.nextCursor}`)).messages).toMatchObject([{ text: 'one' }]);

  const failing = await insertRun(db.database, jobId);
  await takeMessages(db.database, { jobId, runId: failing.run_id, turnIndex: 0 });
  await db.database
    .updateTable('messages')
    .set({ state: 'dropped', reason: 'internal' })
    .where('run_id', '=', failing.run_id)
    .execute();
  await markRunEnded(db.database, failing.run_id, { outcome: 'failed', code: 'internal', sentence: 'It broke.' });
  expect((await read('?limit=1')).messages).toMatchObject([{ text: 'three', state: 'dropped', answer: 'It broke.' }]);
});

const runsPage = z.strictObject({
  runs: z.array(z.looseObject({ number: z.number(), messages: z.array(z.unknown()) })),
  waiting: z.array(z.unknown()),
  dropped: z.array(z.unknown()),
  effects: z.array(z.unknown()),
  nextCursor: z.string().nullable(),
});

test('the runs of a job are newest first, and what belongs to no run is on the first page', async () => {
  const caller = await createCaller();
  const { job_id: jobId } = await acceptJob(db.store, caller.projectId);
  for (let count = 0; count < 3; count += 1) {
    const { run_id: runId } = await insertRun(db.database, jobId);
    await markRunEnded(db.database, runId, { outcome: 'completed', code: 'unchanged', sentence: 'Nothing.' });
  }
  const read = async (query: string) => runsPage.parse((await caller.get(`/job/${jobId}/runs${query}`)).body);
  const first = await read('?limit=2');
  expect(first.runs.map(({ number }) => number)).toEqual([3, 2]);
  expect(first.waiting).toHaveLength(1);
  const second = await read(`?limit=2&cursor=${first.nextCursor}`);
  expect(second).toMatchObject({ runs: [{ number: 1 }], waiting: [], nextCursor: null });
});

test('the runs of a job come with the newest hundred messages and effects of no run, and with all that wait', async () => {
  const caller = await createCaller();
  const { job_id: jobId } = await acceptJob(db.store, caller.projectId);
  for (let count = 0; count < 105; count += 1) {
    const { message_id: messageId } = await appendMessage(db.database, {
      jobId,
      source: 'comment',
      author: 'rita',
      prompt: `comment ${count}`,
    });
    await db.database
      .updateTable('messages')
      .set({ state: 'dropped', reason: 'cancelled' })
      .where('message_id', '=', messageId)
      .execute();
    await db.database
      .insertInto('effects')
      .values({
        job_id: jobId,
        key: `comment:${count}:eyes`,
        message_id: messageId,
        epoch: 0,
        state: 'done',
        request: '{}',
      })
      .execute();
  }
  const { waiting, dropped, effects } = runsPage.parse((await caller.get(`/job/${jobId}/runs`)).body);
  const newest = Array.from({ length: 100 }, (_item, index) => 5 + index);
  expect(waiting).toHaveLength(1);
  expect(dropped).toMatchObject(newest.map((count) => ({ prompt: `comment ${count}` })));
  expect(effects).toMatchObject(
    newest.map((count) => ({ key: `comment:${count}:eyes`, askedBy: [{ author: 'rita' }] })),
  );
});

describe('the turns of a run', () => {
  const usage = { tokensIn: 100, tokensOut: 10, tokensCached: 60 };
  const call = (callId: string, args: string) => ({ callId, name: 'read_file', arguments: args });
  const ok = (callId: string, output: string) => ({ callId, output, isError: false });
  const none = { outcome: 'completed', code: 'unchanged', sentence: 'Nothing.' } as const;

  async function createRun() {
    const caller = await createCaller();
    const { job_id: jobId } = await acceptJob(db.store, caller.projectId);
    const { run_id: runId } = await insertRun(db.database, jobId);
    const read = async (query = '') => {
      const answer = await caller.get(`/job/${jobId}/runs/${runId}/turns${query}`);
      expect(answer.status, answer.text).toBe(200);
      return z.strictObject({ turns: z.array(z.unknown()), nextCursor: z.string().nullable() }).parse(answer.body);
    };
    const add = async (turnIndex: number, text: string, calls: { args: string; output: string }[]) => {
      await insertTurn(db.database, { runId, turnIndex, inputs: ['x'] });
      const toolCalls = calls.map(({ args }, index) => call(`call-${index}`, args));
      await storeAnswer(db.database, { runId, turnIndex, answer: { text, toolCalls, items: [], usage, stop: 'end' } });
      const results = calls.map(({ output }, index) => ok(`call-${index}`, output));
      await storeResults(db.database, { runId, turnIndex, results });
    };
    return { caller, jobId, runId, read, add };
  }

  test('are newest first, with texts, calls, tokens and duration', async () => {
    const { runId, read, add } = await createRun();
    await add(0, 'I read it.', [
      { args: '{"path": "a.md"}', output: 'Hello' },
      { args: '{}', output: '' },
    ]);
    await add(1, 'Done.', []);
    await insertTurn(db.database, { runId, turnIndex: 2, inputs: [] });
    const tokens = { tokensIn: 100, tokensCached: 60, tokensOut: 10, durationMs: expect.any(Number) };
    const first = { name: 'read_file', arguments: '{"path": "a.md"}', result: 'Hello', isError: false };
    const open = { text: null, calls: [], tokensIn: 0, tokensCached: 0, tokensOut: 0, durationMs: null };
    const told = { text: 'I read it.', calls: [first, { ...first, arguments: '{}', result: '' }], ...tokens };
    expect(await read()).toEqual({ turns: [open, { text: 'Done.', calls: [], ...tokens }, told], nextCursor: null });
    const page = await read('?limit=2');
    expect((await read(`?cursor=${page.nextCursor}`)).turns).toEqual([told]);
  });

  test('show a call whose tool has not answered', async () => {
    const { runId, read } = await createRun();
    await insertTurn(db.database, { runId, turnIndex: 0, inputs: [] });
    const answer = { text: '', toolCalls: [call('a', '{}')], items: [], usage, stop: 'end' };
    await storeAnswer(db.database, { runId, turnIndex: 0, answer });
    expect((await read()).turns).toMatchObject([{ calls: [{ result: null }], durationMs: null }]);
  });

  test('are cut where they are long, and say how much was cut', async () => {
    const { read, add } = await createRun();
    await add(0, 'a'.repeat(50_000), [{ args: 'b'.repeat(4_001), output: 'c'.repeat(100_000) }]);
    await add(1, 'd'.repeat(20_000), [{ args: 'e'.repeat(4_000), output: '' }]);
    expect((await read()).turns).toMatchObject([
      { text: 'd'.repeat(20_000), calls: [{ arguments: 'e'.repeat(4_000) }] },
      {
        text: `${'a'.repeat(20_000)}… [30,000 more characters]`,
        calls: [
          {
            arguments: `${'b'.repeat(4_000)}… [1 more characters]`,
            result: `${'c'.repeat(4_000)}… [96,000 more characters]`,
          },
        ],
      },
    ]);
  });

  test('promise 4: hide the service’s secrets, also at a cut', async () => {
    const { read, add } = await createRun();
    const atCut = `${'x'.repeat(3_995)}sk-secret`;
    await add(0, 'It is sk-secret.', [{ args: '{"key": "sk-secret"}', output: atCut }]);
    const text = JSON.stringify(await read());
    expect(text).toContain('It is [secret].');
    expect(text).not.toMatch(/sk-/);
  });

  test('are as they were before they were compacted', async () => {
    const { runId, read, add } = await createRun();
    await add(0, 'I read it.', [{ args: '{}', output: 'all of it' }]);
    const answer = { text: 'I read it.', toolCalls: [call('call-0', '{}')], items: [], usage, stop: 'end' };
    const turns = [{ turnIndex: 0, answer, results: [ok('call-0', 'removed')], compactedFor: 3 }];
    await storeCompacted(db.database, { runId, turns });
    expect((await read()).turns).toMatchObject([{ calls: [{ result: 'all of it' }] }]);
  });

  test('promise 12: of another job, of another project or of no run are the same 404', async () => {
    const one = await createRun();
    const other = await createRun();
    await markRunEnded(db.database, one.runId, none);
    const ask = async (path: string) => {
      const { status, body } = await one.caller.get(path);
      const { instance, ...problem } = problemShape.parse(body);
      expect(instance).toMatch(/^urn:uuid:/);
      return [status, problem];
    };
    const expected = await ask(`/job/${one.jobId}/runs/run_00000000000000000000000000/turns`);
    expect(expected[0]).toBe(404);
    for (const runId of [other.runId, 'run_x', '%00'])
      expect(await ask(`/job/${one.jobId}/runs/${runId}/turns`)).toEqual(expected);
    expect(await ask(`/job/${other.jobId}/runs/${other.runId}/turns`)).toEqual(expected);
  });
});
