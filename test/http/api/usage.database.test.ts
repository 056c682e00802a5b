import { sql } from 'kysely';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { createProject } from '../../../harness/create-project.ts';
import { addMessage } from '../../../src/jobs/add-message.ts';
import { archiveJob } from '../../../src/jobs/archive-job.ts';
import { cancelJob } from '../../../src/jobs/cancel-job.ts';
import { endRun } from '../../../src/jobs/end-run.ts';
import { inLease } from '../../../src/store/schedule/lease.ts';
import { inTransaction } from '../../../src/store/store.ts';
import { findJob } from '../../../src/store/tables/jobs/jobs.ts';
import { updateRun } from '../../../src/store/tables/jobs/runs.ts';
import { insertTurn } from '../../../src/store/tables/jobs/turns.ts';
import { beginWork } from '../../support/databases/jobs.ts';
import { jobShape, problemShape, startApi } from '../../support/doors/api.ts';
import { openApi } from '../../support/doors/open-api.ts';

const prices = { 'gpt-5': { in: 2, cachedIn: 0.5, out: 8 } };
let repositoryId = 0;

const { db, api } = await openApi({ prices });

const today = () => new Date().toISOString().slice(0, 10);
const nothing = { runs: 0, turns: 0, tokensIn: 0, tokensCached: 0, tokensOut: 0, cost: 0 };
const usageShape = z.strictObject({
  from: z.string(),
  to: z.string(),
  usage: z.array(z.record(z.string(), z.unknown())),
  total: z.record(z.string(), z.unknown()),
});

async function createCaller() {
  repositoryId += 1;
  const { projectId, key, keyId } = await createProject(db.database, { repositoryId, name: 'ci' });
  const path = `/v2/agent/${projectId}`;
  const create = async (body: object = {}, by = key) =>
    jobShape.parse((await api.call('POST', `${path}/job`, { key: by, body: { prompt: 'x', ...body } })).body).id;
  /** Works on the due job. */
  const work = async ({
    turns = 1,
    outcome = 'completed',
    tokensIn = 1000,
  }: {
    turns?: number;
    outcome?: 'completed' | 'failed';
    tokensIn?: number;
  } = {}) => {
    const { lease, run } = await beginWork(db.store);
    for (let turnIndex = 0; turnIndex < turns; turnIndex += 1)
      await insertTurn(db.database, { runId: run.run_id, turnIndex, inputs: ['Told.'] });
    await updateRun(db.database, run.run_id, { tokens_in: tokensIn, tokens_cached: 400, tokens_out: 100 });
    const end = { outcome, code: 'published', sentence: 'Done.' };
    await inLease(db.database, lease, (tx) => endRun({ ...db.store, tx }, run, end));
  };
  return {
    projectId,
    keyId,
    key,
    create,
    work,
    ask: (query = '') => api.call('GET', `${path}/usage${query}`, { key }),
    async read(query = '') {
      const answer = await api.call('GET', `${path}/usage${query}`, { key });
      expect(answer.status, answer.text).toBe(200);
      return usageShape.parse(answer.body);
    },
  };
}

describe('usage', () => {
  test('of a project without runs is nothing, for the last 30 days', async () => {
    const { read } = await createCaller();
    const from = new Date(Date.parse(today()) - 29 * 24 * 3600_000).toISOString().slice(0, 10);
    expect(await read()).toEqual({ from, to: today(), usage: [], total: nothing });
    const earliest = { from: '0001-01-01', to: '0001-01-15', usage: [], total: nothing };
    expect(await read('?to=0001-01-15')).toEqual(earliest);
  });

  test('counts each run once, also one that failed, was cancelled or archived, when it has ended', async () => {
    const { create, work, read } = await createCaller();
    await create();
    const { run } = await beginWork(db.store);
    await updateRun(db.database, run.run_id, { tokens_in: 70, tokens_out: 7 });
    expect((await read()).total).toEqual(nothing);
    await inTransaction(db.store, (store) => archiveJob(store, run.job_id, 'requested'));
    await create();
    await work({ turns: 3, outcome: 'failed' });
    await cancelJob(db.store, await create());
    expect((await read()).total).toEqual({
      runs: 3,
      turns: 3,
      tokensIn: 1070,
      tokensCached: 400,
      tokensOut: 107,
      // (1070 − 400) · 2 + 400 · 0.5 + 107 · 8, per million
      cost: 0.002396,
    });
  });

  test('by day is newest first, by UTC, both days included', async () => {
    const { projectId, create, work, read } = await createCaller();
    for (const day of ['2026-02-28', '2026-03-01', '2026-03-02']) {
      await create();
      await work();
      await sql`update usage set day = ${day} where project_id = ${projectId} and day > '2026-03-02'`.execute(
        db.database,
      );
    }
    const days = async (query: string) => (await read(query)).usage.map(({ day }) => day);
    expect(await days('?from=2026-01-01&to=2026-12-31&by=day')).toEqual(['2026-03-02', '2026-03-01', '2026-02-28']);
    expect(await days('?from=2026-03-01&to=2026-03-01')).toEqual(['2026-03-01']);
    expect(await days('?to=2026-03-01')).toEqual(['2026-03-01', '2026-02-28']);
    const { usage, total } = await read('?from=2026-02-28&to=2026-03-01');
    expect(usage[0]).toEqual({
      day: '2026-03-01',
      runs: 1,
      turns: 1,
      tokensIn: 1000,
      tokensCached: 400,
      tokensOut: 100,
      cost: 0.0022,
    });
    expect(total).toMatchObject({ runs: 2, tokensIn: 2000, cost: 0.0044 });
  });

  test('by model has a cost where the price is known', async () => {
    const { create, work, read } = await createCaller();
    for (const model of ['gpt-5', 'gpt-5-mini', 'gpt-5']) {
      await create({ model });
      await work();
    }
    const { usage, total } = await read('?by=model');
    expect(usage).toMatchObject([
      { model: 'gpt-5', runs: 2, tokensIn: 2000, cost: 0.0044 },
      { model: 'gpt-5-mini', runs: 1, tokensIn: 1000, cost: null },
    ]);
    expect(total).toMatchObject({ runs: 3, cost: null });
    expect((await read()).usage).toMatchObject([{ day: today(), runs: 3, cost: null }]);
  });

  test('by key names the key whose message opened the run; a comment has none', async () => {
    const { projectId, keyId, create, work, read } = await createCaller();
    const other = await createProject(db.database, { repositoryId, name: 'nightly' });
    const jobId = await create();
    await work({ tokensIn: 5000 });
    await create({}, other.key);
    await work({ tokensIn: 3000 });
    const comment = { projectId, jobId, source: 'comment', author: 'rita', prompt: 'And this', rateLimit: 0 } as const;
    await addMessage(db.store, comment);
    await api.call('POST', `/v2/agent/${projectId}/job/${jobId}/message`, { key: other.key, body: { prompt: 'x' } });
    await work({ tokensIn: 1000 });
    expect((await read('?by=key')).usage).toMatchObject([
      { key: keyId, name: 'ci', runs: 1, tokensIn: 5000 },
      { key: other.keyId, name: 'nightly', runs: 1, tokensIn: 3000 },
      { key: null, name: null, runs: 1, tokensIn: 1000 },
    ]);
  });

  test('promise 12: is of one project', async () => {
    const one = await createCaller();
    await one.create();
    await one.work();
    const other = await createCaller();
    expect((await other.read()).usage).toEqual([]);
    const foreign = await api.call('GET', `/v2/agent/${one.projectId}/usage`, { key: other.key });
    expect(foreign.status).toBe(404);
  });

  test('runs that end at once are all counted', async () => {
    const { create, read } = await createCaller();
    const runs = [];
    for (let count = 0; count < 8; count += 1) {
      await create();
      runs.push(await beginWork(db.store, `worker-${count}`));
    }
    const end = { outcome: 'completed', code: 'published', sentence: 'Done.' } as const;
    await Promise.all(
      runs.map(({ lease, run }) => inLease(db.database, lease, (tx) => endRun({ ...db.store, tx }, run, end))),
    );
    expect((await read()).total).toMatchObject({ runs: 8 });
  });

  test.each([
    ['from=2026-02-30', 'from'],
    ['from=0000-01-01', 'from'],
    ['from=yesterday', 'from'],
    ['to=2026-1-1', 'to'],
    ['to=', 'to'],
    ['to=2026-01-01T00:00:00Z', 'to'],
    ['from=2026-03-02&to=2026-03-01', 'from'],
    ['from=2026-03-02&from=2026-03-01', 'from'],
    ['by=week', 'by'],
    ['by=', 'by'],
    ['group=day', 'group'],
  ])('?%s: 400 that names %s', async (query, parameter) => {
    const { ask } = await createCaller();
    const answer = await ask(`?${query}`);
    expect(answer.status).toBe(400);
    expect(problemShape.parse(answer.body)).toMatchObject({ errors: [{ parameter }] });
  });
});

describe('BUDGET_TOKENS_PER_MONTH', () => {
  const limited = () => startApi({ store: db.store, projectLimits: { rateLimit: 10, tokensPerMonth: 2_200 } });
  const typeOf = (body: unknown) => problemShape.parse(body).type;

  test('refuses new jobs and messages when it is used up, until the next month', async () => {
    await using small = await limited();
    const { projectId, key, create, work } = await createCaller();
    const path = `/v2/agent/${projectId}/job`;
    const post = (where = '', idempotencyKey = 'none') =>
      small.call('POST', `${path}${where}`, {
        key,
        body: { prompt: 'x' },
        headers: { 'Idempotency-Key': idempotencyKey },
      });
    const jobId = await create();
    await work();
    const accepted = await post('', 'a');
    expect(accepted.status).toBe(201);
    await work();
    for (const refused of [await post(), await post(`/${jobId}/message`)]) {
      expect([refused.status, typeOf(refused.body)]).toEqual([429, 'urn:pagewright:problem:budget-exhausted']);
      expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
      expect(Number(refused.headers.get('retry-after'))).toBeLessThanOrEqual(31 * 24 * 3600);
    }
    // A replay is not a new request, and a refusal counts against no other limit.
    expect((await post('', 'a')).text).toBe(accepted.text);
    const before = new Date();
    before.setUTCDate(0);
    const lastMonth = before.toISOString().slice(0, 10);
    await sql`update usage set day = ${lastMonth} where project_id = ${projectId}`.execute(db.database);
    const next = await post('', 'b');
    expect([next.status, next.headers.get('ratelimit')]).toEqual([201, expect.stringMatching(/r=8;/)]);
  });

  test('counts live runs, and does not stop them', async () => {
    await using small = await limited();
    const { projectId, key, create } = await createCaller();
    const jobId = await create();
    const { run } = await beginWork(db.store);
    const post = () => small.call('POST', `/v2/agent/${projectId}/job`, { key, body: { prompt: 'x' } });
    await updateRun(db.database, run.run_id, { tokens_in: 2_000, tokens_out: 199 });
    expect((await post()).status).toBe(201);
    await updateRun(db.database, run.run_id, { tokens_out: 200 });
    expect((await post()).status).toBe(429);
    expect(await findJob(db.database, { projectId, jobId })).toMatchObject({ status: 'active' });
  });
});
