import { randomBytes } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { createProject } from '../../../harness/create-project.ts';
import { createId } from '../../../src/create-id.ts';
import { createOpenApi } from '../../../src/http/api/description/openapi.ts';
import { createOutbound } from '../../../src/outbound/outbound.ts';
import { insertRun } from '../../../src/store/tables/jobs/runs.ts';
import { insertTurn } from '../../../src/store/tables/jobs/turns.ts';
import { insertWebhookDeliveries } from '../../../src/store/tables/webhooks/webhook-deliveries.ts';
import { type Answer, jobShape, problemShape } from '../../support/doors/api.ts';
import { openApi } from '../../support/doors/open-api.ts';

const delivery = createId('whd');

const outbound = createOutbound({
  secretsKey: { kind: 'set', keys: [randomBytes(32)] },
  webhookAllowedHosts: [],
  resolve: async () => [],
});
const { db, api } = await openApi({ projectLimits: { rateLimit: 50 }, outbound });
const { projectId: project, key } = await createProject(db.database);
const created = await api.call('POST', `/v2/agent/${project}/job`, { key, body: { prompt: 'x' } });
const job = jobShape.parse(created.body).id;
const { run_id: run } = await insertRun(db.database, job);
await insertTurn(db.database, { runId: run, turnIndex: 0, inputs: [] });
const url = 'https://hooks.example.com/';
const hook = await api.call('POST', `/v2/agent/${project}/webhook`, { key, body: { url } });
const webhook = z.object({ id: z.string() }).parse(hook.body).id;
const setting = { on: { schedule: '0 6 * * 1' }, prompt: 'Tidy up.' };
const automation = { project_id: project, name: 'tidy', setting: JSON.stringify(setting) };
await db.database.insertInto('automations').values(automation).execute();
const sent = { delivery_id: delivery, webhook_id: webhook, job_id: job, run_id: run, job: JSON.stringify({}) };
const at = new Date();
await insertWebhookDeliveries(db.database, [{ ...sent, type: 'job.failed', state: 'failed', at, due_at: at }]);

function expectPlain({ status, headers, body, text }: Answer) {
  expect(status, text).toBeLessThan(500);
  if (status < 400) return;
  expect(headers.get('content-type')).toMatch(/^application\/problem\+json/);
  expect(problemShape.parse(body)).toMatchObject({ status, instance: `urn:uuid:${headers.get('x-request-id')}` });
}

const nested = (depth: number, open: string, close: string) => `${open.repeat(depth)}1${close.repeat(depth)}`;
const oddText = fc.oneof(
  fc.string({ unit: 'binary' }),
  fc.constantFrom('', '\0', '\ud800', '__proto__', '😀', '\u202e', "'; drop table jobs; --", 'x'.repeat(40_000)),
);
const oddValue = fc.oneof(oddText, fc.jsonValue(), fc.constantFrom(null, true, -1, 1e308, [], {}));
const body = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({ prompt: oddValue, ref: oddValue, model: oddValue, draft: oddValue }, { requiredKeys: [] }),
  },
  { weight: 2, arbitrary: fc.record({ prompt: oddText }) },
  { weight: 1, arbitrary: fc.jsonValue() },
  { weight: 2, arbitrary: fc.string({ unit: 'binary' }) },
  { weight: 1, arbitrary: fc.uint8Array({ maxLength: 200 }) },
  {
    weight: 1,
    arbitrary: fc.constantFrom(
      nested(50_000, '[', ']'),
      nested(20_000, '{"a":', '}'),
      '{"prompt":"\\ud800"}',
      '{"prompt":"\\u0000"}',
      '{"__proto__":{"prompt":"x"},"constructor":{"prototype":{"ref":"x"}}}',
      '{"prompt":"x","prompt":7}',
      `{"prompt":"${'x'.repeat(300_000)}"}`,
      '\ufeff{"prompt":"x"}',
      '[',
    ),
  },
);
const type = fc.constantFrom(
  'application/json',
  'application/json; charset=utf-16',
  'application/json; charset="',
  'text/html',
  ';',
);
const segment = fc.oneof(
  fc.constantFrom(
    '{project}',
    '{job}',
    '..',
    '%00',
    '%',
    '%ff',
    'job_00000000000000000000000000',
    '__proto__',
    '\u202e',
  ),
  fc.string({ unit: 'binary', minLength: 1, maxLength: 20 }).map((text) => encodeURIComponent(text.toWellFormed())),
);
const place = (path: string) =>
  path.replaceAll('{project}', project).replaceAll('{job}', job).replaceAll('{webhook}', webhook);

test('promise 24: any body gets a plain answer', async () => {
  const path = fc.constantFrom(
    '/v2/agent/{project}/job',
    '/v2/agent/{project}/job/{job}/message',
    '/v2/agent/{project}/webhook',
    '/v2/agent/{project}/webhook/{webhook}/rotate',
  );
  await fc.assert(
    fc.asyncProperty(path, body, type, async (where, sent, contentType) => {
      expectPlain(await api.call('POST', place(where), { key, body: sent, headers: { 'content-type': contentType } }));
    }),
    { numRuns: 80, examples: [['/v2/agent/{project}/job', nested(50_000, '[', ']'), 'application/json']] },
  );
});

test('promise 24: any path and method gets a plain answer', async () => {
  const method = fc.constantFrom('GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'PROPFIND');
  const tail = fc.constantFrom(
    '',
    '/',
    '/message',
    '/runs',
    '/cancel',
    '/archive',
    '/unarchive',
    '/messages',
    '/diff',
    '/nothing',
    '?x=%00',
    '?__proto__[a]=1',
  );
  const path = fc
    .tuple(fc.constantFrom('/v2/agent', '/V2/agent', '/v2', ''), fc.array(segment, { maxLength: 3 }), tail)
    .map(([root, segments, end]) => `${[root, ...segments].join('/')}${end}`)
    // nock takes the first part of such a path for a host.
    .filter((where) => where.startsWith('/') && !where.startsWith('//'));
  const authorization = fc.oneof(
    fc.constant('right'),
    fc.constantFrom('', 'Bearer', 'Bearer \u00e9', 'Digest x', 'Bearer a,b'),
  );
  await fc.assert(
    fc.asyncProperty(method, path, authorization, async (asked, where, given) => {
      const headers = { authorization: given === 'right' ? `Bearer ${key}` : given };
      const answer = await api.call(asked, place(where), { headers });
      if (asked === 'HEAD') expect(answer.status).toBeLessThan(500);
      else expectPlain(answer);
    }),
    { numRuns: 300 },
  );
});

/** What stands in a described path for a name of OpenAPI's. */
const realIds = () => ({
  projectId: project,
  jobId: job,
  runId: run,
  webhookId: webhook,
  deliveryId: delivery,
  name: 'tidy',
});
const fillPath = (path: string, ids: Record<string, string>) =>
  path.replaceAll(/\{(\w+)\}/g, (_whole, name: string) => ids[name] ?? 'unknown');

describe('promise 24: any id, query and header gets a plain answer', () => {
  const known = Object.values(createOpenApi().paths).flatMap((methods) =>
    Object.values(methods).flatMap(({ parameters }) => parameters.filter((each) => each.in === 'query')),
  );
  const parameter = fc.constantFrom(...new Set(known.map(({ name }) => name)), '__proto__');
  const values = [
    ...['', '0', '1', '-1', '1e9', '99999999999999999999', 'active', 'active,active', 'true', 'model'],
    ...['%00', '%ff', '2026-02-30', '2026-02-28', '0001-01-01', '9999-12-31'],
  ];
  const value = fc.oneof(
    fc.constantFrom(...values),
    fc.string({ unit: 'binary', maxLength: 30 }).map((text) => encodeURIComponent(text.toWellFormed())),
    fc.base64String({ maxLength: 60 }).map(encodeURIComponent),
  );
  const query = fc.array(
    fc.tuple(parameter, value).map(([name, text]) => `${name}=${text}`),
    { maxLength: 3 },
  );
  const id = fc.oneof({ weight: 3, arbitrary: fc.constant(undefined) }, { weight: 1, arbitrary: segment });
  const headerText = fc.oneof(
    fc.constantFrom('', '0', '-1', '7', '99999999999', 'application/json', '*/*;q=x', ',;=', '"a"', 'a, b'),
    fc.string({ unit: fc.constantFrom(...'a \t"\\,;=*/\u00e9\u00ff'), maxLength: 300 }),
  );
  const header = fc.tuple(
    fc.constantFrom('Last-Event-ID', 'Idempotency-Key', 'Accept', 'Content-Type', 'If-None-Match', 'Range'),
    headerText,
  );
  const routes = Object.entries(createOpenApi().paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, { parameters }]) => {
      const names = parameters.filter((each) => each.in === 'query').map(({ name }) => name);
      return [method.toUpperCase(), path, names] as const;
    }),
  );

  test.each(routes)('%s %s', async (method, path, names) => {
    const answered = new Set<number>();
    const takesBody = method === 'POST' && /\/(job|message|webhook|run)$/.test(path);
    // Each value of each parameter alone: with another that is wrong, only the checks would be tried.
    const alone = names.flatMap((name) =>
      values.map((text): [undefined, string[], []] => [undefined, [`${name}=${text}`], []]),
    );
    await fc.assert(
      fc.asyncProperty(id, query, fc.array(header, { maxLength: 2 }), async (oddId, parameters, headers) => {
        const ids = {
          ...realIds(),
          ...(oddId && { jobId: oddId, runId: oddId, webhookId: oddId, deliveryId: oddId, name: oddId }),
        };
        const where = `${fillPath(path, ids)}${parameters.length > 0 ? `?${parameters.join('&')}` : ''}`;
        // A stream would stay open, and what was removed is unknown from then on.
        const sent = { ...(method === 'DELETE' && { authorization: '' }), ...Object.fromEntries(headers) };
        const body = takesBody ? { body: { prompt: 'x', url: 'https://example.com' } } : {};
        const answer = await api.call(method, place(where), { key, ...body, headers: sent });
        expectPlain(answer);
        answered.add(answer.status);
      }),
      { numRuns: 25 + alone.length, examples: [[undefined, [], []], ...alone] },
    );
    // Also the work behind the checks was done. A body of both routes is refused by each, and a removal has no key.
    if (method !== 'DELETE' && !takesBody)
      expect([...answered].some((status) => status < 300 || status === 409)).toBe(true);
  });
});
