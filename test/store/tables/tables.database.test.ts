import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createProject } from '../../../harness/create-project.ts';
import type { JobStatus } from '../../../src/store/tables/columns.ts';
import {
  countEffectTry,
  findEffect,
  intendEffect,
  listEffects,
  markEffectDone,
  markEffectRefused,
} from '../../../src/store/tables/jobs/effects.ts';
import {
  findJob,
  findJobOfPullRequest,
  listJobsWithPullRequest,
  lockOpenJobs,
  updateJob,
} from '../../../src/store/tables/jobs/jobs.ts';
import { insertRun } from '../../../src/store/tables/jobs/runs.ts';
import {
  insertTurn,
  listTurns,
  readWrites,
  storeAnswer,
  storeCompacted,
  storeResults,
  storeWrites,
} from '../../../src/store/tables/jobs/turns.ts';
import {
  findDelivery,
  insertDelivery,
  lockStoredDelivery,
  markDelivery,
} from '../../../src/store/tables/repositories/deliveries.ts';
import {
  findProject,
  findProjectByName,
  listProjects,
  markProjectRemoved,
  storeSettings,
} from '../../../src/store/tables/repositories/projects.ts';
import { isOverdue, raiseWatermark } from '../../../src/store/tables/repositories/watermarks.ts';
import type { ColumnChange } from '../../../src/store/tables/schema.ts';
import { createTestDatabase, type TestDatabase } from '../../support/databases/database.ts';
import { acceptJob, makeJob } from '../../support/databases/jobs.ts';
import { findWatermark } from '../../support/databases/watermark.ts';

let db: TestDatabase;
let projectId: string;

beforeAll(async () => {
  db = await createTestDatabase();
  ({ projectId } = await createProject(db.database));
});

afterAll(() => db[Symbol.asyncDispose]());

async function begin() {
  const { job_id: jobId } = await acceptJob(db.store, projectId);
  const { run_id: runId } = await insertRun(db.database, jobId);
  return { jobId, runId };
}

describe('turns', () => {
  test('turns are read back unchanged and in order', async () => {
    const { runId } = await begin();
    const answer = { z: 1, a: [{ b: ' \u2028 ', id: '10' }], '10': 'ten', '9': 'nine' };
    await insertTurn(db.database, { runId, turnIndex: 0, inputs: ['one', 'two'] });
    await storeAnswer(db.database, { runId, turnIndex: 0, answer });
    await storeResults(db.database, { runId, turnIndex: 0, results: [{ y: 1, b: 2 }] });
    await insertTurn(db.database, { runId, turnIndex: 1, inputs: [] });
    const turns = await listTurns(db.database, runId);
    expect(turns).toMatchObject([{ inputs: ['one', 'two'] }, { inputs: [], answer: null, results: null }]);
    expect(JSON.stringify(turns[0]?.answer)).toBe(JSON.stringify(answer));
    expect(JSON.stringify(turns[0]?.results)).toBe('[{"y":1,"b":2}]');
  });

  test('compacted turns keep their first originals, byte for byte, and other turns stay', async () => {
    const { runId } = await begin();
    for (const turnIndex of [0, 1, 2]) {
      await insertTurn(db.database, { runId, turnIndex, inputs: [] });
      await storeAnswer(db.database, { runId, turnIndex, answer: { z: turnIndex, a: 1 } });
      await storeResults(db.database, { runId, turnIndex, results: [{ output: 'long' }] });
    }
    const compact = (turnIndex: number, output: string, compactedFor: number) => ({
      turnIndex,
      compactedFor,
      answer: { z: turnIndex, a: 2 },
      results: [{ output }],
    });
    await storeCompacted(db.database, { runId, turns: [compact(0, 'short', 2), compact(1, 'short', 2)] });
    await storeCompacted(db.database, { runId, turns: [compact(0, 'shorter', 3)] });
    const turns = await listTurns(db.database, runId);
    expect(
      turns.map(({ answer, results, original, compacted_for: compactedFor }) =>
        JSON.stringify([answer, results, original, compactedFor]),
      ),
    ).toEqual([
      '[{"z":0,"a":2},[{"output":"shorter"}],{"answer":{"z":0,"a":1},"results":[{"output":"long"}]},3]',
      '[{"z":1,"a":2},[{"output":"short"}],{"answer":{"z":1,"a":1},"results":[{"output":"long"}]},2]',
      '[{"z":2,"a":1},[{"output":"long"}],null,null]',
    ]);
  });

  test('a turn is opened once', async () => {
    const { runId } = await begin();
    await insertTurn(db.database, { runId, turnIndex: 0, inputs: [] });
    await expect(insertTurn(db.database, { runId, turnIndex: 0, inputs: [] })).rejects.toMatchObject({ code: '23505' });
  });

  test('the write set is replaced as a whole, and a deleted file differs from an unwritten file', async () => {
    const { runId } = await begin();
    const bytes = (text: string) => Buffer.from(text);
    const none = new Map<string, Uint8Array | null>();
    const first = new Map([
      ['a.md', bytes('1')],
      ['b.md', bytes('2')],
      ['c.md', null],
    ]);
    const second = new Map([
      ['b.md', bytes('3')],
      ['c.md', bytes('')],
      ['d.md', null],
    ]);
    await storeWrites(db.database, runId, { stored: none, writes: first });
    expect(await readWrites(db.database, runId)).toEqual(first);
    await storeWrites(db.database, runId, { stored: first, writes: second });
    expect(await readWrites(db.database, runId)).toEqual(second);
    await storeWrites(db.database, runId, { stored: second, writes: none });
    expect(await readWrites(db.database, runId)).toEqual(new Map());
  });
});

describe('effects', () => {
  test('promise 1: an effect is recorded once, and recording it again returns its state', async () => {
    const { jobId, runId } = await begin();
    const key = `${runId}:push`;
    const intend = (epoch: number, request: object) => intendEffect(db.database, { jobId, key, runId, epoch, request });
    expect(await intend(1, { attempt: 1 })).toMatchObject({ isNew: true, effect: { state: 'intended', epoch: 1 } });
    expect(await intend(2, { attempt: 2 })).toMatchObject({
      isNew: false,
      effect: { epoch: 2, request: { attempt: 2 } },
    });
    await markEffectDone(db.database, { jobId, key, response: { ok: true }, externalId: 'abc' });
    expect(await intend(3, { attempt: 3 })).toMatchObject({
      isNew: false,
      effect: { state: 'done', request: { attempt: 2 }, response: { ok: true }, external_id: 'abc' },
    });
    expect(await listEffects(db.database, jobId)).toHaveLength(1);
  });

  test('promise 1: of concurrent records of an effect, one is new', async () => {
    const { jobId, runId } = await begin();
    const effect = { jobId, key: `${runId}:push`, runId, epoch: 1, request: {} };
    const results = await Promise.all(Array.from({ length: 10 }, () => intendEffect(db.database, effect)));
    expect(results.filter(({ isNew }) => isNew)).toHaveLength(1);
  });
});

describe('an effect of the queue', () => {
  const intend = (jobId: string, key: string) => intendEffect(db.database, { jobId, key, epoch: 0, request: {} });

  test('counts its tries until it is done', async () => {
    const { jobId } = await begin();
    const [done, refused] = [
      { jobId, key: 'comment:1:eyes' },
      { jobId, key: 'comment:2:eyes' },
    ];
    for (const { key } of [done, refused]) await intend(jobId, key);
    expect(await countEffectTry(db.database, done)).toMatchObject({ tries: 1 });
    expect(await countEffectTry(db.database, done)).toMatchObject({ tries: 2 });
    await markEffectDone(db.database, { ...done, response: {}, externalId: '7' });
    await markEffectRefused(db.database, { ...refused, reason: 'The conversation is locked.' });
    expect(await countEffectTry(db.database, done)).toBeUndefined();
    expect(await countEffectTry(db.database, refused)).toBeUndefined();
    expect(await listEffects(db.database, jobId)).toMatchObject([
      { state: 'done', tries: 2, done_at: expect.any(Date) },
      { state: 'refused', tries: 0, response: { refused: 'The conversation is locked.' }, done_at: expect.any(Date) },
    ]);
  });

  test('is pending only in its own job', async () => {
    const [one, other] = [await begin(), await begin()];
    const key = 'comment:3:eyes';
    await intend(one.jobId, key);
    expect(await findEffect(db.database, { jobId: one.jobId, key })).toMatchObject({ state: 'intended' });
    expect(await findEffect(db.database, { jobId: other.jobId, key })).toBeUndefined();
  });
});

describe('watermarks', () => {
  test('never decrease', async () => {
    const read = () => findWatermark(db.database, 'redeliver');
    expect(await read()).toBeUndefined();
    const [early, late] = [new Date('2025-11-20T20:06:00Z'), new Date('2025-11-20T20:07:00Z')];
    for (const moment of [early, late, early]) await raiseWatermark(db.database, 'redeliver', moment);
    expect(await read()).toEqual(late);
  });

  test('do not depend on the clock of a machine that is an hour ahead', async () => {
    await raiseWatermark(db.database, 'reconcile', new Date(Date.now() + 3600_000));
    const behind = (withinMs: number) => isOverdue(db.database, 'reconcile', { withinMs });
    expect([await behind(60_000), await behind(0)]).toEqual([false, true]);
  });
});

describe('deliveries', () => {
  test('promise 8: a delivery that arrives twice is stored once, and processed once', async () => {
    const delivery = { delivery_id: 'd-1', event: 'push', action: null, repository_id: 1, fields: '{}' };
    expect(await insertDelivery(db.database, delivery)).toBe(true);
    expect(await insertDelivery(db.database, delivery)).toBe(false);
    expect(await lockStoredDelivery(db.database, 'd-1')).toMatchObject({ event: 'push', fields: {} });
    await markDelivery(db.database, 'd-1', { state: 'done' });
    expect(await lockStoredDelivery(db.database, 'd-1')).toBeUndefined();
    await markDelivery(db.database, 'd-1', { state: 'ignored', reason: 'given up by another process' });
    expect(await findDelivery(db.database, 'd-1')).toMatchObject({ state: 'done', reason: null });
    expect(await insertDelivery(db.database, delivery)).toBe(false);
  });
});

describe('projects', () => {
  test('a project is found by its name in any case, the newer of two, and not after its removal', async () => {
    const find = () => findProjectByName(db.database, { owner: 'ACME', repo: 'Guide' });
    const older = await createProject(db.database, { repositoryId: 20, repo: 'guide' });
    const newer = await createProject(db.database, { repositoryId: 21, repo: 'guide' });
    expect((await find())?.project_id).toBe(newer.projectId);
    await markProjectRemoved(db.database, newer.projectId);
    expect((await find())?.project_id).toBe(older.projectId);
    expect(await listProjects(db.database, 1021)).toEqual([]);
  });
});

describe('the settings of a project', () => {
  const [early, late] = [new Date('2026-11-20T20:06:00Z'), new Date('2026-11-20T20:07:00Z')];
  const read = async (ownId: string) => (await findProject(db.database, ownId))?.settings;
  const store = (ownId: string, name: string, readAt?: Date) =>
    storeSettings(db.database, ownId, { settings: { name }, problems: [], ...(readAt && { readAt }) });

  test('are those that were read last, in whatever order they are stored', async () => {
    const { projectId: own } = await createProject(db.database, { repositoryId: 40, repo: 'settings' });
    await store(own, 'late', late);
    await store(own, 'early', early);
    expect(await read(own)).toEqual({ name: 'late' });
    await store(own, 'as late', late);
    expect(await read(own)).toEqual({ name: 'as late' });
    await store(own, 'now');
    expect(await read(own)).toEqual({ name: 'now' });
  });

  const careful = { paths: [] };
  const broken = (ownId: string) => storeSettings(db.database, ownId, { settings: careful, problems: ['Line 1'] });

  test('promise 5: settings with mistakes do not replace those that hold, and the commit of these is known', async () => {
    const { projectId: own } = await createProject(db.database, { repositoryId: 41, repo: 'broken' });
    const good = { settings: { paths: ['docs/**'] }, problems: [] };
    await storeSettings(db.database, own, { ...good, sha: 'abc' });
    // As without a run: the same settings are of the same commit.
    await storeSettings(db.database, own, good);
    for (const _again of [1, 2]) {
      expect(await broken(own)).toEqual({ good_settings: { paths: ['docs/**'] }, good_settings_sha: 'abc' });
      expect(await findProject(db.database, own)).toMatchObject({
        settings: { paths: ['docs/**'] },
        settings_problems: ['Line 1'],
      });
    }
    const other = { settings: { paths: ['guides/**'] }, problems: [] };
    expect(await storeSettings(db.database, own, other)).toMatchObject({ good_settings_sha: null });
    expect(await read(own)).toEqual({ paths: ['guides/**'] });
  });

  test('promise 5: where no settings without mistakes were read, nothing is permitted', async () => {
    const { projectId: own } = await createProject(db.database, { repositoryId: 42, repo: 'never-good' });
    for (const _again of [1, 2]) {
      expect(await broken(own)).toBeUndefined();
      expect(await read(own)).toEqual(careful);
    }
  });

  test('promise 27: settings without mistakes that a version before stored hold, and its defaults do not', async () => {
    const { projectId: own } = await createProject(db.database, { repositoryId: 43, repo: 'before' });
    const asBefore = (settings: object, problems: string[]) =>
      db.database
        .updateTable('projects')
        .set({ settings: JSON.stringify(settings), settings_problems: JSON.stringify(problems) })
        .where('project_id', '=', own)
        .execute();
    await asBefore({}, ['Line 1']);
    expect(await broken(own)).toBeUndefined();
    await asBefore({ comments: 'off' }, []);
    expect(await broken(own)).toEqual({ good_settings: { comments: 'off' }, good_settings_sha: null });
  });
});

describe('jobs', () => {
  test('promise 12: a job is found only in its own project', async () => {
    const { job_id: jobId } = await acceptJob(db.store, projectId);
    const other = await createProject(db.database, { repositoryId: 30, repo: 'elsewhere' });
    expect(await findJob(db.database, { projectId, jobId })).toBeDefined();
    expect(await findJob(db.database, { projectId: other.projectId, jobId })).toBeUndefined();
  });

  test('the job of a pull request is found by its number, else by a branch without a number', async () => {
    const byNumber = await makeJob(db.store, projectId, 'completed');
    const byBranch = await makeJob(db.store, projectId, 'completed');
    await updateJob(db.database, byNumber.job_id, { branch: 'pagewright/a', pull_request_number: 7 });
    await updateJob(db.database, byBranch.job_id, { branch: 'pagewright/b' });
    const find = async (number: number, branch: string) =>
      (await findJobOfPullRequest(db.database, { projectId, number, branch }))?.job_id;
    expect(await find(7, 'pagewright/b')).toBe(byNumber.job_id);
    expect(await find(8, 'pagewright/b')).toBe(byBranch.job_id);
    expect(await find(8, 'pagewright/a')).toBeUndefined();
  });

  test('open jobs are those that are not archived', async () => {
    const { projectId: own } = await createProject(db.database, { repositoryId: 31, repo: 'open' });
    const open = [await makeJob(db.store, own, 'active'), await makeJob(db.store, own, 'failed')];
    await makeJob(db.store, own, 'archived');
    expect((await lockOpenJobs(db.database, own)).map((job) => job.job_id)).toEqual(
      open.map((job) => job.job_id).toSorted(),
    );
  });

  test('jobs are reconciled while their pull request is open, and for 90 days after it closed', async () => {
    const { projectId: own } = await createProject(db.database, { repositoryId: 32, repo: 'watched' });
    const make = async (number: number | null, status: JobStatus, change: ColumnChange<'jobs'> = {}) => {
      const { job_id: jobId } = await makeJob(db.store, own, status);
      await updateJob(db.database, jobId, { pull_request_number: number, ...change });
    };
    const daysAgo = (days: number) => new Date(Date.now() - days * 24 * 3600_000);
    await make(1, 'completed');
    await make(2, 'active');
    await make(null, 'completed');
    await make(4, 'archived', { archive_reason: 'closed' });
    await make(5, 'archived', { archive_reason: 'merged' });
    await make(6, 'archived', { archive_reason: 'closed', archived_at: daysAgo(89) });
    await make(7, 'archived', { archive_reason: 'closed', archived_at: daysAgo(91) });
    const watched = await listJobsWithPullRequest(db.database, own);
    expect(watched.map((job) => job.pull_request_number).toSorted()).toEqual([1, 2, 4, 6]);
  });

  test('only an archived job has a time of archiving, and only an active job is due', async () => {
    const { job_id: jobId } = await makeJob(db.store, projectId, 'completed');
    for (const wrong of [{ status: 'archived' as const }, { archived_at: new Date() }, { due_at: new Date() }]) {
      await expect(updateJob(db.database, jobId, wrong)).rejects.toMatchObject({ code: '23514' });
    }
  });
});
