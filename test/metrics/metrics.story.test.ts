import { afterAll, beforeAll, expect, test } from 'vitest';
import { eventually } from '../../harness/eventually.ts';
import { edit, finish } from '../../harness/script-steps.ts';
import { startInWorld } from '../../harness/start-service.ts';
import { steps } from '../../local/model/script.ts';
import { GitHubRefusal } from '../../src/github/refusals/github-refusal.ts';
import { cacheFor, createMetrics } from '../../src/metrics/create-metrics.ts';
import { takeStepDirectly } from '../../src/steps.ts';
import { readSamples } from '../support/values/read-samples.ts';
import { createWorld, type World } from '../support/worlds/world.ts';

const idle = { worker: undefined, parts: [], connections: { open: 0, idle: 0, waiting: 0 } };
const unreachable = () => Promise.reject(new Error('the database is unreachable'));

let world: World;
beforeAll(async () => {
  const script = steps([
    edit('limits.md', '60 requests', '100 requests'),
    finish('The limit is 100 now.', { title: 'Correct the limit', description: 'Says 100.' }),
  ]);
  world = await createWorld({ script });
});
afterAll(() => world[Symbol.asyncDispose]());

test('/metrics shows what a job cost and did, without ids and repository names', async () => {
  await using service = await startInWorld(world, { WORKER_CONCURRENCY: '3', RUN_MAX_TURNS: '7' });
  const { id } = await service.caller.create('Make it 100.');
  const { source } = await service.caller.settled(id);
  await service.caller.call('GET', `/${id}?secret=1`);
  await fetch(`${service.url}/no/such/path`);
  const read = () => fetch(`${service.url}/metrics`);
  // The job is settled a moment before its slot is free.
  await eventually(
    async () => (await (await read()).text()).includes('\npagewright_worker_live_runs 0\n') || undefined,
  );
  const answer = await read();
  expect([answer.status, answer.headers.get('content-type')]).toEqual([
    200,
    'text/plain; version=0.0.4; charset=utf-8',
  ]);
  const text = await answer.text();
  const samples = readSamples(text);
  expect(Object.fromEntries(samples)).toMatchObject({
    pagewright_database_up: 1,
    'pagewright_jobs{status="completed"}': 1,
    'pagewright_jobs{status="active"}': 0,
    'pagewright_runs_ended_total{code="published",outcome="completed"}': 1,
    ...Object.fromEntries(
      ['internal', 'model_auth', 'model_invalid', 'model_quota'].map((code) => [
        `pagewright_runs_ended_total{code="${code}",outcome="failed"}`,
        0,
      ]),
    ),
    pagewright_jobs_due: 0,
    pagewright_jobs_due_oldest_seconds: 0,
    pagewright_queue_wait_seconds_count: 1,
    pagewright_takeovers_total: 0,
    'pagewright_lease_losses_total{reason="ran_out"}': 0,
    pagewright_worker_slots: 3,
    pagewright_worker_live_runs: 0,
    'pagewright_effects_total{kind="push",state="done"}': 1,
    'pagewright_effects_total{kind="pull-request",state="done"}': 1,
    'pagewright_step_duration_seconds_count{result="done",step="ask model"}': 2,
    'pagewright_model_request_duration_seconds_count{model="gpt-test",outcome="answered"}': 2,
    'pagewright_http_request_duration_seconds_count{method="POST",route="/v2/agent/:projectId/job",status="201"}': 1,
    'pagewright_http_request_duration_seconds_count{method="GET",route="none",status="404"}': 1,
    pagewright_installations_blocked: 0,
    pagewright_deliveries_waiting: expect.any(Number),
    pagewright_deliveries_missed: 0,
    pagewright_answers_waiting: 0,
  });
  expect(samples.get('pagewright_github_requests_total{method="POST",status="2xx"}')).toBeGreaterThan(1);
  expect(samples.get('pagewright_model_tokens_total{model="gpt-test",type="in"}')).toBeGreaterThan(0);
  expect(samples.get('pagewright_data_free_bytes')).toBeGreaterThan(0);
  expect(samples.get('pagewright_database_connections{state="open"}')).toBeGreaterThan(0);
  expect(samples.get('nodejs_eventloop_lag_p99_seconds')).toBeGreaterThan(0);
  expect(samples.get('process_resident_memory_bytes')).toBeGreaterThan(0);
  for (const named of [id, source.ref, world.projectId, 'acme', 'secret']) expect(text).not.toContain(named);
});

test('promise 17: without the database, /metrics answers and omits the values of the database', async () => {
  await using service = await startInWorld(world);
  const read = async () => {
    const answer = await fetch(`${service.url}/metrics`);
    return { status: answer.status, samples: readSamples(await answer.text()) };
  };
  await world.database.setReachable(false);
  try {
    const { status, samples } = await read();
    expect([status, samples.get('pagewright_database_up')]).toEqual([200, 0]);
    expect(samples.has('pagewright_jobs_due')).toBe(false);
    expect([...samples.keys()].filter((name) => /^pagewright_(jobs|runs|deliveries|answers)/.test(name))).toEqual([]);
    expect(samples.get('pagewright_worker_slots')).toBe(4);
  } finally {
    await world.database.setReachable(true);
  }
  await eventually(async () => (await read()).samples.get('pagewright_database_up') === 1 || undefined);
  expect((await read()).samples.has('pagewright_jobs_due')).toBe(true);
});

test('promise 12: metrics are readable from this machine only, or with the token if one is set', async () => {
  const status = async (url: string, headers: Record<string, string> = {}) =>
    (await fetch(`${url}/metrics`, { headers })).status;
  {
    await using open = await startInWorld(world, { ROLE: 'web' });
    expect(await status(open.url)).toBe(200);
    expect(await status(open.url, { 'x-forwarded-for': '192.0.2.7' })).toBe(404);
  }
  {
    // A proxy that adds no header looks like a program on this machine.
    await using behind = await startInWorld(world, { ROLE: 'web', PUBLIC_URL: 'https://pagewright.example.com' });
    expect(await status(behind.url)).toBe(404);
  }
  const token = 'metrics-token-of-the-test-world';
  await using closed = await startInWorld(world, { ROLE: 'worker', METRICS_TOKEN: token });
  expect(await status(closed.url)).toBe(401);
  expect(await status(closed.url, { authorization: 'Bearer metrics-token-of-another-world' })).toBe(401);
  expect(await status(closed.url, { authorization: `Bearer ${token}`, 'x-forwarded-for': '192.0.2.7' })).toBe(200);
  expect((await fetch(`${closed.url}/metrics`, { method: 'POST' })).status).toBe(405);
});

test('a step is timed and counted by its result, and returns its value or throws its error', async () => {
  const metrics = createMetrics({
    role: 'all',
    dataDir: '/no/such/directory',
    readBacklog: unreachable,
    readTotals: unreachable,
  });
  const take = metrics.measure(takeStepDirectly);
  const refusal = new GitHubRefusal({ reason: 'refused', what: 'push', words: 'no' });
  expect(await take({ step: 'push', effect: 'push' }, async () => 'pushed')).toBe('pushed');
  await expect(take({ step: 'push', effect: 'push' }, () => Promise.reject(refusal))).rejects.toBe(refusal);
  await expect(take({ step: 'fetch' }, () => Promise.reject(new Error('lost')))).rejects.toThrow('lost');
  metrics.onGitHubAnswered({ method: 'GET', status: 0 });
  metrics.onGitHubAnswered({ method: 'BREW', status: 418 });
  metrics.onGitHubLimit('secondary');
  metrics.onClaimed({ waitedMs: 2_000, isTakeover: false });
  metrics.onClaimed({ waitedMs: 900_000, isTakeover: true });
  metrics.onLeaseLost('ran_out');
  metrics.onCheckReport({ ran: true, problems: [{ kind: 'link', severity: 'must' }] });
  metrics.onCheckReport({ ran: false, problems: [] });
  const samples = readSamples(await metrics.render(idle));
  expect(Object.fromEntries(samples)).toMatchObject({
    'pagewright_effects_total{kind="push",state="done"}': 1,
    'pagewright_effects_total{kind="push",state="refused"}': 1,
    'pagewright_step_duration_seconds_count{result="failed",step="fetch"}': 1,
    'pagewright_github_requests_total{method="GET",status="none"}': 1,
    'pagewright_github_requests_total{method="other",status="4xx"}': 1,
    'pagewright_github_limits_total{kind="secondary"}': 1,
    pagewright_queue_wait_seconds_sum: 2,
    pagewright_takeovers_total: 1,
    'pagewright_lease_losses_total{reason="ran_out"}': 1,
    'pagewright_checks_total{result="clean"}': 0,
    'pagewright_checks_total{result="left"}': 1,
    'pagewright_checks_total{result="failed"}': 1,
    'pagewright_check_problems_left_total{kind="link",severity="must"}': 1,
  });
  expect(samples.has('pagewright_data_free_bytes')).toBe(false);
});

test('cacheFor reuses a recent value, shares a running read, and does not cache a failure', async () => {
  let reads = 0;
  const open = Promise.withResolvers<void>();
  const find = cacheFor(60_000, async () => {
    reads += 1;
    if (reads === 1) throw new Error('unreachable');
    await open.promise;
    return reads;
  });
  expect(await find()).toBeUndefined();
  const both = Promise.all([find(), find()]);
  open.resolve();
  expect(await both).toEqual([2, 2]);
  expect(await find()).toBe(2);
});
