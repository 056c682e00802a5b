import { describe, expect, test } from 'vitest';
import { createProject } from '../../../harness/create-project.ts';
import { endRun } from '../../../src/jobs/end-run.ts';
import { claimJob } from '../../../src/store/schedule/claim-job.ts';
import { inLease } from '../../../src/store/schedule/lease.ts';
import { intendEffect, markEffectDone } from '../../../src/store/tables/jobs/effects.ts';
import { findJob, updateJob } from '../../../src/store/tables/jobs/jobs.ts';
import { listMessages } from '../../../src/store/tables/jobs/messages.ts';
import { insertTurn } from '../../../src/store/tables/jobs/turns.ts';
import { markProjectRemoved } from '../../../src/store/tables/repositories/projects.ts';
import { countWakeUps } from '../../support/databases/count-wake-ups.ts';
import { beginWork } from '../../support/databases/jobs.ts';
import { jobShape, problemShape } from '../../support/doors/api.ts';
import { openApi } from '../../support/doors/open-api.ts';

const { db, api } = await openApi();
const { projectId, key } = await createProject(db.database, { name: 'ci' });

const jobs = () => `/v2/agent/${projectId}/job`;
const create = async (body: object = { prompt: 'Fix the typo' }) => {
  const answer = await api.call('POST', jobs(), { key, body });
  expect(answer.status, answer.text).toBe(201);
  return jobShape.parse(answer.body);
};
const post = (jobId: string, what: string, body?: object) =>
  api.call('POST', `${jobs()}/${jobId}/${what}`, { key, body });
const read = async (jobId: string) => jobShape.parse((await api.call('GET', `${jobs()}/${jobId}`, { key })).body);

describe('create', () => {
  test('promise 2: 201 means that the job, its message and a wake-up are committed', async () => {
    await using wakeUps = await countWakeUps(db.connection);
    const answer = await api.call('POST', jobs(), { key, body: { prompt: ' Fix the typo\n' } });
    expect(answer.status).toBe(201);
    const job = jobShape.parse(answer.body);
    expect(job).toMatchObject({
      status: 'active',
      source: { repository: 'https://github.com/acme/docs', ref: 'main' },
      model: 'gpt-5',
      prLink: null,
      archivedAt: null,
    });
    expect(answer.headers.get('location')).toBe(`${jobs()}/${job.id}`);
    expect(await findJob(db.database, { projectId, jobId: job.id })).toMatchObject({ draft: false });
    expect(await listMessages(db.database, job.id)).toMatchObject([
      { prompt: 'Fix the typo', author: 'ci', source: 'api' },
    ]);
    expect(await wakeUps.read()).toBe(1);
  });

  test('a request can set base, model and draft', async () => {
    const job = await create({ prompt: 'x', ref: 'docs/v2', model: 'gpt-5-mini', draft: true });
    expect(job).toMatchObject({ source: { ref: 'docs/v2' }, model: 'gpt-5-mini' });
    expect(await findJob(db.database, { projectId, jobId: job.id })).toMatchObject({ draft: true });
  });

  test('the location leads to the job', async () => {
    const job = await create();
    expect(await read(job.id)).toEqual(job);
  });
});

describe('the job resource', () => {
  test('ref is the job’s branch once it exists, and prLink is set when the work is done', async () => {
    const { id } = await create();
    const url = 'https://github.com/acme/docs/pull/7';
    await updateJob(db.database, id, { branch: 'pagewright/typo-x', pull_request_number: 7, pull_request_url: url });
    expect(await read(id)).toMatchObject({ status: 'active', source: { ref: 'pagewright/typo-x' }, prLink: null });
    await updateJob(db.database, id, { status: 'completed', due_at: null });
    expect(await read(id)).toMatchObject({ status: 'completed', prLink: url });
    expect(jobShape.parse((await post(id, 'message', { prompt: 'more' })).body)).toMatchObject({
      status: 'active',
      prLink: null,
    });
  });

  test('source has the repository’s current name', async () => {
    const other = await createProject(db.database, { repositoryId: 2, repo: 'before' });
    const path = `/v2/agent/${other.projectId}/job`;
    const created = await api.call('POST', path, { key: other.key, body: { prompt: 'x' } });
    await createProject(db.database, { repositoryId: 2, repo: 'after' });
    const { id } = jobShape.parse(created.body);
    const { body } = await api.call('GET', `${path}/${id}`, { key: other.key });
    expect(body).toMatchObject({ source: { repository: 'https://github.com/acme/after' } });
  });
});

describe('message', () => {
  test('a follow-up is accepted in order', async () => {
    const { id } = await create({ prompt: 'one' });
    expect((await post(id, 'message', { prompt: 'two' })).status).toBe(200);
    expect((await post(id, 'message', { prompt: 'three' })).status).toBe(200);
    const messages = await listMessages(db.database, id);
    expect(messages.map(({ prompt }) => prompt)).toEqual(['one', 'two', 'three']);
  });

  test('an archived job answers 409', async () => {
    const { id } = await create();
    await post(id, 'archive');
    const answer = await post(id, 'message', { prompt: 'more' });
    expect(answer.status).toBe(409);
    expect(problemShape.parse(answer.body).type).toBe('urn:pagewright:problem:job-archived');
  });

  test('the 21st waiting message answers 429 with Retry-After', async () => {
    const { id } = await create();
    for (let count = 0; count < 19; count += 1) expect((await post(id, 'message', { prompt: 'x' })).status).toBe(200);
    const answer = await post(id, 'message', { prompt: 'x' });
    expect(answer.status).toBe(429);
    expect(Number(answer.headers.get('retry-after'))).toBeGreaterThan(0);
  });

  test('a project without its repository answers 409, and its jobs can still be read', async () => {
    const gone = await createProject(db.database, { repositoryId: 3, repo: 'gone' });
    const path = `/v2/agent/${gone.projectId}/job`;
    const { id } = jobShape.parse((await api.call('POST', path, { key: gone.key, body: { prompt: 'x' } })).body);
    await markProjectRemoved(db.database, gone.projectId);
    for (const where of [path, `${path}/${id}/message`]) {
      const answer = await api.call('POST', where, { key: gone.key, body: { prompt: 'x' } });
      expect(answer.status).toBe(409);
      expect(problemShape.parse(answer.body).detail).toMatch(/can no longer access this project’s repository/);
    }
    expect((await api.call('GET', `${path}/${id}`, { key: gone.key })).status).toBe(200);
  });
});

describe('cancel and archive', () => {
  test('a cancelled job failed, and cancelling it again changes nothing', async () => {
    const { id } = await create();
    const first = await post(id, 'cancel');
    expect(first.status).toBe(200);
    expect(jobShape.parse(first.body).status).toBe('failed');
    const second = await post(id, 'cancel');
    expect([second.status, second.text]).toEqual([200, first.text]);
  });

  test('an archived job says when, and archiving it again changes nothing', async () => {
    const { id } = await create();
    const first = await post(id, 'archive');
    expect(first.status).toBe(200);
    expect(jobShape.parse(first.body)).toMatchObject({ status: 'archived', archivedAt: expect.any(String) });
    const second = await post(id, 'archive');
    expect([second.status, second.text]).toEqual([200, first.text]);
    expect(jobShape.parse((await post(id, 'cancel')).body).status).toBe('archived');
  });
});

test('the runs resource has all messages, runs and effects of a job', async () => {
  await db.database.updateTable('jobs').set({ due_at: null }).execute();
  const { id } = await create({ prompt: 'one' });
  const { lease, run } = await beginWork(db.store);
  const runId = run.run_id;
  const problem = { file: 'a.md', line: 3, kind: 'link', severity: 'must', message: 'leads nowhere', target: '/b' };
  const checks = { ran: true, links: 9, pages: 1, unparsed: 0, navigation: false, problems: [problem], more: 0 };
  await inLease(db.database, lease, async (tx) => {
    await insertTurn(tx, { runId, turnIndex: 0, inputs: ['one'] });
    await insertTurn(tx, { runId, turnIndex: 1, inputs: [] });
    await tx
      .updateTable('runs')
      .set({
        tokens_in: 1200,
        tokens_out: 34,
        tokens_cached: 1000,
        publication: JSON.stringify({ summary: 'Fixed the typo.', checks }),
      })
      .where('run_id', '=', runId)
      .execute();
    const effectKey = `${runId}:push`;
    await intendEffect(tx, { jobId: id, key: effectKey, runId, epoch: lease.epoch, request: { branch: 'b' } });
    await markEffectDone(tx, { jobId: id, key: effectKey, response: { sha: 'abc' }, externalId: 'abc' });
    const end = { outcome: 'completed', code: 'published', sentence: 'The pull request was opened.' } as const;
    await endRun({ tx, queue: db.store.queue }, run, { ...end, commitSha: 'abc' });
  });
  await post(id, 'message', { prompt: 'two' });
  const answer = await api.call('GET', `${jobs()}/${id}/runs`, { key });
  expect(answer.status).toBe(200);
  expect(answer.body).toEqual({
    runs: [
      {
        id: runId,
        number: 1,
        status: 'ended',
        outcome: 'completed',
        code: 'published',
        sentence: 'The pull request was opened.',
        waitsFor: null,
        summary: 'Fixed the typo.',
        startedAt: expect.any(String),
        finishedAt: expect.any(String),
        turns: 2,
        tokensIn: 1200,
        tokensOut: 34,
        tokensCached: 1000,
        commit: 'abc',
        // As an earlier release stored them: what it did not record has a default.
        checks: { ...checks, notChecked: [], problems: [{ ...problem, explanation: null }] },
        evidence: [],
        messages: [
          {
            id: expect.stringMatching(/^msg_/),
            source: 'api',
            author: 'ci',
            prompt: 'one',
            state: 'answered',
            reason: null,
            deliveryId: null,
            createdAt: expect.any(String),
          },
        ],
        effects: [
          {
            key: `${runId}:push`,
            kind: 'push',
            state: 'done',
            refusal: null,
            askedBy: [{ messageId: expect.stringMatching(/^msg_/), author: 'ci', source: 'api', deliveryId: null }],
            leaseEpoch: 1,
            tries: 1,
            externalId: 'abc',
            request: { branch: 'b' },
            response: { sha: 'abc' },
            intendedAt: expect.any(String),
            doneAt: expect.any(String),
          },
        ],
        warnings: [],
      },
    ],
    waiting: [expect.objectContaining({ prompt: 'two', state: 'waiting' })],
    dropped: [],
    effects: [],
    nextCursor: null,
  });
  expect(await claimJob(db.database, 'worker-2')).toMatchObject({ jobId: id });
});
