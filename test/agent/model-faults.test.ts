import { describe, expect, test } from 'vitest';
import { type Fault, failing } from '../../local/model/script.ts';
import { startModelServer } from '../../local/model/start-model-server.ts';
import { createModel } from '../../src/agent/create-model.ts';
import type { ModelRequest } from '../../src/agent/model.ts';
import { Parked, RunFailure } from '../../src/errors.ts';

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

interface Row {
  name: string;
  fault: Fault;
  /** The code of the failure that the fault leads to if it lasts. */
  code: string;
  /** Passing faults are asked again: with attempts 3 there are 3 requests. */
  requests: 1 | 3;
}

const rows: Row[] = [
  { name: '401', fault: status(401), code: 'model_auth', requests: 1 },
  { name: '403', fault: status(403), code: 'model_auth', requests: 1 },
  { name: '402', fault: status(402), code: 'model_quota', requests: 1 },
  {
    name: '429 insufficient_quota',
    fault: status(429, { code: 'insufficient_quota' }),
    code: 'model_quota',
    requests: 1,
  },
  {
    name: '400 context_length_exceeded',
    fault: status(400, { code: 'context_length_exceeded' }),
    code: 'model_context',
    requests: 1,
  },
  { name: '413', fault: status(413), code: 'model_context', requests: 1 },
  { name: '400 content_filter', fault: status(400, { code: 'content_filter' }), code: 'model_refused', requests: 1 },
  { name: '404', fault: status(404, { code: 'model_not_found' }), code: 'model_invalid', requests: 1 },
  { name: '400', fault: status(400), code: 'model_invalid', requests: 1 },
  { name: '422', fault: status(422), code: 'model_invalid', requests: 1 },
  { name: 'a refusal', fault: { kind: 'refusal' }, code: 'model_refused', requests: 1 },
  { name: 'a content filter in the answer', fault: { kind: 'content_filter' }, code: 'model_refused', requests: 1 },
  { name: '408', fault: status(408), code: 'model_unavailable', requests: 3 },
  { name: '409', fault: status(409), code: 'model_unavailable', requests: 3 },
  { name: '429', fault: status(429, { code: 'rate_limit_exceeded' }), code: 'model_unavailable', requests: 3 },
  { name: '500', fault: status(500), code: 'model_unavailable', requests: 3 },
  { name: '503', fault: status(503), code: 'model_unavailable', requests: 3 },
  { name: 'no answer at all', fault: { kind: 'hang' }, code: 'model_unavailable', requests: 3 },
  { name: 'a connection that closes unanswered', fault: { kind: 'hang_up' }, code: 'model_unavailable', requests: 3 },
  { name: 'a stall after the first event', fault: { kind: 'stall' }, code: 'model_unavailable', requests: 3 },
  {
    name: 'heartbeats that keep a dead stream warm',
    fault: { kind: 'heartbeats' },
    code: 'model_unavailable',
    requests: 3,
  },
  { name: 'a slow drip', fault: { kind: 'slow_drip', everyMs: 20 }, code: 'model_unavailable', requests: 3 },
  { name: 'a flood', fault: { kind: 'flood' }, code: 'model_unavailable', requests: 3 },
  { name: 'a reset', fault: { kind: 'reset' }, code: 'model_unavailable', requests: 3 },
  { name: 'truncated JSON', fault: { kind: 'truncated_json' }, code: 'model_unavailable', requests: 3 },
  { name: 'a truncated stream', fault: { kind: 'truncated_stream' }, code: 'model_unavailable', requests: 3 },
  { name: 'a page with 200', fault: { kind: 'html' }, code: 'model_unavailable', requests: 3 },
  { name: 'no choices, no output', fault: { kind: 'empty' }, code: 'model_unavailable', requests: 3 },
];

describe.each(['responses', 'chat'] as const)('promise 22: each fault by the %s protocol has one outcome', (api) => {
  // Only the fault that needs the deadline meets it, so that each of the others shows its own guard.
  const createTestModel = (baseUrl: string, fault?: Fault) =>
    createModel({
      api,
      apiKey: 'secret-key',
      baseUrl,
      model: 'gpt-test',
      idleTimeoutMs: 400,
      requestTimeoutMs: fault?.kind === 'slow_drip' ? 600 : 20_000,
      attempts: 3,
      backoffMs: 1,
      maxAnswerBytes: 2 * 1024 * 1024,
    });
  const signal = new AbortController().signal;

  test.concurrent.each(rows)('$name: $code', async ({ fault, code, requests }) => {
    await using server = await startModelServer({ script: () => ({ text: 'played', fault }) });
    const error = await createTestModel(server.url, fault)
      .respond(request, signal)
      .catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(RunFailure);
    expect(error).toMatchObject({ code, message: expect.stringMatching(/^The [^<>]{20,250}: [^<>]*\.$/) });
    expect(String(error)).not.toMatch(/secret-key|played/);
    expect(server.requests).toHaveLength(requests);
  });

  test.concurrent.each(rows.filter((row) => row.requests === 3))(
    '$name that passes does no harm',
    async ({ fault }) => {
      await using server = await startModelServer({ script: failing({ times: 1, fault, step: { text: 'well' } }) });
      expect(await createTestModel(server.url, fault).respond(request, signal)).toMatchObject({
        text: 'well',
        stop: 'end',
      });
      expect(server.requests).toHaveLength(2);
    },
  );

  test('a connection that is refused is tried again', async () => {
    const server = await startModelServer({ script: () => ({}) });
    await server.stop();
    const asked = createTestModel(server.url).respond(request, signal);
    await expect(asked).rejects.toMatchObject({ code: 'model_unavailable', message: expect.stringMatching(/reached/) });
  });

  test('a Retry-After up to a minute is waited for', async () => {
    const fault = status(429, { headers: { 'retry-after': '1' } });
    await using server = await startModelServer({ script: failing({ times: 1, fault, step: { text: 'well' } }) });
    const startedAt = performance.now();
    expect(await createTestModel(server.url).respond(request, signal)).toMatchObject({ text: 'well' });
    expect(performance.now() - startedAt).toBeGreaterThanOrEqual(990);
  });

  test('a longer Retry-After parks the run until then', async () => {
    const fault = status(503, { headers: { 'retry-after': '120' } });
    await using server = await startModelServer({ script: () => ({ fault }) });
    const error = await createTestModel(server.url, fault)
      .respond(request, signal)
      .catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(Parked);
    const waitMs = error instanceof Parked ? error.until.getTime() - Date.now() : 0;
    expect(waitMs).toBeGreaterThan(110_000);
    expect(waitMs).toBeLessThanOrEqual(120_000);
    expect(server.requests).toHaveLength(1);
  });

  test.each<{ name: string; fault: Fault }>([
    { name: 'while it waits to try again', fault: status(429, { headers: { 'retry-after': '50' } }) },
    { name: 'in the middle of a stream', fault: { kind: 'stall' } },
  ])('an abort $name is thrown with its reason', async ({ fault }) => {
    const stop = new AbortController();
    const reason = new Error('cancelled');
    await using server = await startModelServer({
      script: () => {
        setTimeout(() => stop.abort(reason), 50);
        return { fault };
      },
    });
    await expect(createTestModel(server.url).respond(request, stop.signal)).rejects.toBe(reason);
    expect(server.requests).toHaveLength(1);
  });
});
