import { readFileSync } from 'node:fs';
import { describe, expect, test, vi } from 'vitest';
import { type Fault, failing } from '../../../local/model/script.ts';
import { startModelServer } from '../../../local/model/start-model-server.ts';
import { createModel } from '../../../src/agent/model/create-model.ts';
import { ModelRefusal, ModelUnavailable } from '../../../src/agent/model/errors.ts';
import type { ModelRequest } from '../../../src/agent/model/model.ts';
import type { ModelRequestReport } from '../../../src/agent/model/retrying-model.ts';
import { Parked } from '../../../src/errors.ts';
import { findFailedEnd } from '../../../src/runs/failures.ts';

// Most of them only wait, each for its own deadlines.
vi.setConfig({ maxConcurrency: 20 });

const request: ModelRequest = {
  instructions: 'Be brief.',
  turns: [{ inputs: ['hello'], answer: null, results: null }],
  tools: [],
  cacheKey: 'job_1',
};
const status = (code: number, more: { code?: string; headers?: Record<string, string> } = {}): Fault => ({
  kind: 'status',
  status: code,
  ...more,
});
/** Asks to wait; a minute is 1,000 ms in these tests. */
const wait = (code: number, milliseconds: number) => status(code, { headers: { 'retry-after-ms': `${milliseconds}` } });

/** A row of the table in the operations page, in its words: what happens when the fault lasts. */
interface Row {
  fault: string;
  played: Fault | 'refused';
  requests: 1 | 2 | 3 | 5;
  /** The run ends with a code, is retried after a while or when the server says, or uses the model's answer as it is. */
  outcome: `ends \`model_${string}\`` | 'retried later' | 'retried when the server says' | 'uses the answer';
  /** What is reported of each request. */
  reported: string;
}

const final = (fault: string, played: Fault, code: string): Row => ({
  fault,
  played,
  requests: 1,
  outcome: `ends \`model_${code}\``,
  reported: `model_${code}`,
});
const passing = (fault: string, played: Row['played'], reported = 'broken_answer', requests: 1 | 3 | 5 = 5): Row => ({
  fault,
  played,
  requests,
  outcome: 'retried later',
  reported,
});
const parking = (fault: string, played: Fault, requests: Row['requests'], reported: string): Row => ({
  fault,
  played,
  requests,
  reported,
  outcome: 'retried when the server says',
});

const rows: Row[] = [
  passing('connection refused', 'refused', 'unreachable'),
  passing('connection closed without an answer', { kind: 'hang_up' }, 'unreachable'),
  passing('connection reset in the middle of the answer', { kind: 'reset' }),
  passing('408', status(408), 'server_error'),
  passing('409', status(409), 'server_error'),
  passing('429', status(429, { code: 'rate_limit_exceeded' }), 'rate_limited'),
  passing('500', status(500), 'server_error'),
  passing('503', status(503), 'server_error'),
  passing('503 with a Retry-After of up to a minute', wait(503, 2), 'server_error'),
  parking('429 with a Retry-After of seconds', wait(429, 2), 5, 'rate_limited'),
  parking('429 with Retry-Afters that come to more than a minute', wait(429, 800), 2, 'rate_limited'),
  parking('429 with a Retry-After of more than a minute', wait(429, 2_000), 1, 'rate_limited'),
  parking('503 with a Retry-After of more than a minute', wait(503, 2_000), 1, 'server_error'),
  final('429 `insufficient_quota`', status(429, { code: 'insufficient_quota' }), 'quota'),
  final('402', status(402), 'quota'),
  final('401', status(401), 'auth'),
  final('403', status(403), 'auth'),
  final('404 `model_not_found`', status(404, { code: 'model_not_found' }), 'invalid'),
  final('400', status(400), 'invalid'),
  final('422', status(422), 'invalid'),
  final('400 `context_length_exceeded`', status(400, { code: 'context_length_exceeded' }), 'context'),
  final('413', status(413), 'context'),
  final('400 `content_filter`', status(400, { code: 'content_filter' }), 'refused'),
  final('content filter in the answer', { kind: 'content_filter' }, 'refused'),
  final('refusal', { kind: 'refusal' }, 'refused'),
  passing('no answer at all', { kind: 'hang' }, 'broken_answer', 3),
  passing('stream that stalls', { kind: 'stall' }, 'broken_answer', 3),
  passing('stream of nothing but heartbeats', { kind: 'heartbeats' }, 'broken_answer', 3),
  passing('stream that drips for too long', { kind: 'slow_drip', everyMs: 20 }, 'broken_answer', 1),
  final('flood', { kind: 'flood' }, 'invalid'),
  passing('truncated JSON', { kind: 'truncated_json' }),
  passing('truncated stream', { kind: 'truncated_stream' }),
  passing('HTML page with 200', { kind: 'html' }),
  passing('neither choices nor output', { kind: 'empty' }),
  {
    fault: 'tool call cut off by the output limit',
    played: { kind: 'cut_arguments' },
    requests: 1,
    outcome: 'uses the answer',
    reported: 'answered',
  },
];

test('the reliability page has the same table', () => {
  const lines = readFileSync('docs/reliability.md', 'utf8').split('\n');
  const cells = lines.map((line) => line.split('|').map((cell) => cell.trim()));
  const head = cells.findIndex(([, first, second]) => first === 'The model server’s fault' && second === 'Asked');
  const documented = cells.slice(head + 2).slice(
    0,
    cells.slice(head + 2).findIndex((row) => row.length < 4),
  );
  expect(documented.map(([, fault, asked, outcome]) => ({ fault, asked, outcome }))).toEqual(
    rows.map(({ fault, requests, outcome }) => ({ fault, asked: `${requests}`, outcome })),
  );
});

const never = new AbortController().signal;
/** As in service: 2 minutes of silence, 10 of an answer, 5 of trying. Long enough for a busy machine. */
const [impatientMs, requestMs] = [1_500, 1_000];
const tryingMs = { silent: impatientMs * 2.5, slow: requestMs / 2, other: 5 * 60_000 };
const patientMs = 20_000;
const silent = ['hang', 'stall', 'heartbeats'];
const slow = ['slow_drip'];

const isOf = (played: Row['played'] | undefined, kinds: readonly string[]) =>
  typeof played === 'object' && kinds.includes(played.kind);

const apis = ['responses', 'chat'] as const;
type Api = (typeof apis)[number];

// Only the fault that needs the deadline meets it, so that each of the others shows its own guard.
const createTestModel = (
  api: Api,
  baseUrl: string,
  more: { played?: Row['played']; reports?: ModelRequestReport[]; longestWaitMs?: number } = {},
) =>
  createModel({
    api,
    apiKey: 'secret-key',
    baseUrl,
    model: 'gpt-test',
    idleTimeoutMs: isOf(more.played, silent) ? impatientMs : patientMs,
    requestTimeoutMs: isOf(more.played, slow) ? requestMs : patientMs,
    longestTryingMs: tryingMs[isOf(more.played, silent) ? 'silent' : isOf(more.played, slow) ? 'slow' : 'other'],
    backoffMs: 1,
    longestWaitMs: more.longestWaitMs ?? 1_000,
    maxAnswerBytes: 2 * 1024 * 1024,
    onRequest: (report) => void more.reports?.push(report),
  });

/** A server that plays a fault, for as long as `script` says. */
async function startFaulty(played: Row['played'], times = Number.POSITIVE_INFINITY) {
  const calls = [{ name: 'write_file', arguments: { path: 'a.md', content: 'a' } }];
  const isCut = played !== 'refused' && played.kind === 'cut_arguments';
  const step = { text: 'well', calls: isCut ? calls : [] };
  if (played !== 'refused') return startModelServer({ script: failing({ times, fault: played, step }) });
  const server = await startModelServer({ script: () => step });
  await server.stop();
  return server;
}

test.concurrent.each(apis.flatMap((api) => rows.map((row) => ({ api, ...row }))))(
  'promise 22: by the $api protocol, $fault $outcome',
  async ({ api, played, requests, outcome, reported }) => {
    await using server = await startFaulty(played);
    const reports: ModelRequestReport[] = [];
    const startedAt = performance.now();
    const askedAt = Date.now();
    const met = await createTestModel(api, server.url, { played, reports })
      .respond(request, never)
      .catch((thrown: unknown) => thrown);
    // At the worst each try takes its whole time, and all waits together take a minute.
    expect(performance.now() - startedAt).toBeLessThan(5 * impatientMs + 1_000 + 5_000);

    if (outcome === 'uses the answer') expect(met).toMatchObject({ stop: 'length' });
    else if (outcome === 'retried later') expect(met).toBeInstanceOf(ModelUnavailable);
    else if (outcome === 'retried when the server says') {
      expect(met).toBeInstanceOf(Parked);
      const until = met instanceof Parked ? met.until.getTime() : 0;
      const expectedMs = requests === 1 ? 2_000 : 1_000;
      expect(until - askedAt).toBeGreaterThan(expectedMs - 500);
      expect(until - Date.now()).toBeLessThanOrEqual(expectedMs);
    } else {
      expect(met).toBeInstanceOf(ModelRefusal);
      const sentence = expect.stringMatching(/^The [^<>]{20,250}\. [^<>]*\.$/);
      expect(findFailedEnd(met)).toEqual({ code: /`(.+)`/.exec(outcome)?.[1], sentence });
    }
    if (met instanceof Error) expect(met.message).not.toMatch(/secret-key|played/);
    if (played !== 'refused') expect(server.requests).toHaveLength(requests);
    expect(reports.map((report) => report.outcome)).toEqual(Array.from({ length: requests }, () => reported));
  },
);

const passes = rows.filter((row) => row.requests > 1 && row.outcome === 'retried later' && row.played !== 'refused');

test.concurrent.each(apis.flatMap((api) => passes.map((row) => ({ api, ...row }))))(
  'promise 22: by the $api protocol, $fault that passes does no harm',
  async ({ api, played }) => {
    await using server = await startFaulty(played, 1);
    const reports: ModelRequestReport[] = [];
    const answer = await createTestModel(api, server.url, { played, reports }).respond(request, never);
    expect(answer).toMatchObject({ text: 'well', stop: 'end' });
    expect(reports.map(({ usage }) => usage)).toEqual([null, answer.usage]);
    // Word for word, so that what the server has cached is found; and it knows no key to tell that it is the same.
    const [first, second, ...more] = server.requests;
    expect(second?.body).toEqual(first?.body);
    expect(more).toEqual([]);
    expect(Object.keys(second?.headers ?? {})).not.toContain('idempotency-key');
  },
);

describe.each(apis)('promise 22: by the %s protocol', (api) => {
  test('a Retry-After of one second is respected', async () => {
    const fault = status(429, { headers: { 'retry-after': '1' } });
    await using server = await startFaulty(fault, 1);
    const startedAt = performance.now();
    expect(await createTestModel(api, server.url).respond(request, never)).toMatchObject({ text: 'well' });
    expect(performance.now() - startedAt).toBeGreaterThanOrEqual(990);
  });

  test('a longer Retry-After parks the run, for one day at most', async () => {
    for (const [asked, expected] of [
      ['120', 120],
      ['999999', 86_400],
    ] as const) {
      await using server = await startFaulty(status(503, { headers: { 'retry-after': asked } }));
      const met = await createTestModel(api, server.url)
        .respond(request, never)
        .catch((thrown: unknown) => thrown);
      const untilMs = met instanceof Parked ? met.until.getTime() - Date.now() : 0;
      expect(untilMs / 1000).toBeGreaterThan(expected - 10);
      expect(untilMs / 1000).toBeLessThanOrEqual(expected);
    }
  });

  const whenAsked: { when: string; played: Fault }[] = [
    { when: 'while it waits to try again', played: wait(429, 30_000) },
    { when: 'in the middle of a stream', played: { kind: 'stall' } },
  ];
  const longestWaitMs = 60_000;
  const reason = new Error('cancelled');

  test.each(whenAsked)('an abort $when throws its reason', async ({ played }) => {
    const stop = new AbortController();
    await using server = await startModelServer({
      script: () => {
        setTimeout(() => stop.abort(reason), 50);
        return { fault: played };
      },
    });
    const model = createTestModel(api, server.url, { longestWaitMs });
    await expect(model.respond(request, stop.signal)).rejects.toBe(reason);
    expect(server.requests).toHaveLength(1);
  });

  test('promise 16: after a hand-over a running request completes, without waits or retries', async () => {
    const handOver = new AbortController();
    const grace = new AbortController();
    const answerLate = async () => {
      handOver.abort(reason);
      return { text: 'well' };
    };
    await using server = await startModelServer({ script: answerLate });
    const model = createTestModel(api, server.url);
    expect(await model.respond(request, handOver.signal, grace.signal)).toMatchObject({ text: 'well' });
    await expect(model.respond(request, handOver.signal, grace.signal)).rejects.toBe(reason);
    expect(server.requests).toHaveLength(1);
  });

  test.each(whenAsked)(
    'promise 16: a hand-over $when ends the request at once, or at the end of the grace',
    async (scenario) => {
      const handOver = new AbortController();
      const grace = new AbortController();
      await using server = await startModelServer({
        script: () => {
          setTimeout(() => handOver.abort(reason), 50);
          if (scenario.played.kind === 'stall') setTimeout(() => grace.abort(reason), 150);
          return { fault: scenario.played };
        },
      });
      const reports: ModelRequestReport[] = [];
      const model = createTestModel(api, server.url, { reports, longestWaitMs });
      const asked = model.respond(request, handOver.signal, grace.signal);
      const startedAt = performance.now();
      await expect(asked).rejects.toBe(reason);
      expect(performance.now() - startedAt).toBeLessThan(10_000);
      expect(server.requests).toHaveLength(1);
      expect(reports).toMatchObject([{ outcome: scenario.played.kind === 'stall' ? 'aborted' : 'rate_limited' }]);
    },
  );
});
