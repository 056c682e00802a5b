import { createHmac } from 'node:crypto';
import fc from 'fast-check';
import nock from 'nock';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createProject } from '../../harness/create-project.ts';
import { webhookPath } from '../../src/config/urls.ts';
import { httpProblemKinds } from '../../src/http/problem.ts';
import { createTestDatabase, type TestDatabase } from '../support/databases/database.ts';
import { problemShape } from '../support/doors/api.ts';
import { sendRaw } from '../support/doors/raw-request.ts';
import { serveDoors, webhookSecret } from '../support/doors/serve-doors.ts';

let db: TestDatabase;
let doors: Awaited<ReturnType<typeof serveDoors>>;
let project: { projectId: string; key: string };

// nock reads what a client sends as HTTP, also where it lets it through.
beforeAll(async () => {
  nock.restore();
  db = await createTestDatabase();
  doors = await serveDoors(db.store);
  project = await createProject(db.database);
});

afterAll(async () => {
  await doors[Symbol.asyncDispose]();
  await db[Symbol.asyncDispose]();
  nock.activate();
});

/** What a caller may rely on: no 5xx, and every error is a problem of a listed kind. Pages are for people. */
function expectPlain(path: string, method: string, { status, headers, body }: Awaited<ReturnType<typeof sendRaw>>) {
  expect(status).toBeLessThan(500);
  if (
    status < 400 ||
    (/^\/(?:setup|projects|operator|auth)\b/.test(path) && headers.get('content-type')?.startsWith('text/html'))
  )
    return;
  expect(headers.get('content-type')).toMatch(/^application\/problem\+json/);
  if (method === 'HEAD') return;
  const { type } = problemShape.parse(JSON.parse(body));
  const kind = Object.entries(httpProblemKinds).find(([name]) => type === `urn:pagewright:problem:${name}`);
  expect(kind?.[1].status).toBe(status);
}

const path = fc.constantFrom(
  '/',
  '/livez',
  '/readyz',
  '/metrics',
  '/openapi.json',
  '/setup',
  '/setup/installed',
  '/setup/x',
  '/projects',
  '/projects/{project}/jobs/new',
  '/projects/%ff',
  '/operator',
  '/auth/sign-out',
  webhookPath,
  `${webhookPath}/?a=b`,
  '/v2/agent/{project}/job',
  '/v2/agent/{project}/job/{job}',
  '/v2/agent/{project}/job/{job}/message',
  '/v2/agent/{project}/job/{job}/cancel',
  '/v2/agent/%ff',
  '//v2',
  '/../x',
  'http://elsewhere.example.com/livez',
  '*',
);
const method = fc.constantFrom('GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'TRACE', 'PROPFIND', 'get');
const contentType = fc.constantFrom(
  'application/json',
  'application/json; charset=utf-8',
  'application/json; charset=utf-16',
  'application/json; charset="',
  'application/x-www-form-urlencoded',
  'multipart/form-data; boundary=x',
  'text/plain',
  ';',
  '',
);
const bytes = fc.oneof(
  fc.string({ unit: 'binary' }).map((text) => Buffer.from(text)),
  fc.uint8Array({ maxLength: 300 }).map((array) => Buffer.from(array)),
  fc.jsonValue().map((value) => Buffer.from(JSON.stringify(value) ?? '')),
  fc.constantFrom('{"prompt":"x"}', '\ufeff{"prompt":"x"}', '{"action":"created"}').map((text) => Buffer.from(text)),
  fc.constantFrom('utf16le', 'latin1').map((encoding) => Buffer.from('{"prompt":"é"}', encoding)),
  fc.constantFrom(300_000, 2_000_000).map((size) => Buffer.alloc(size, '[')),
);
const framing = fc.constantFrom<(body: Buffer) => [string, Buffer]>(
  (body) => [`Content-Length: ${body.length}`, body],
  (body) => [`Content-Length: ${body.length}\r\nContent-Encoding: gzip`, body],
  (body) => [`Content-Length: ${body.length}\r\nExpect: 100-continue`, body],
  (body) => [`Content-Length: ${body.length}\r\nExpect: wonders`, body],
  (body) => [
    'Transfer-Encoding: chunked',
    Buffer.concat([Buffer.from(`${body.length.toString(16)}\r\n`), body, Buffer.from('\r\n0\r\n\r\n')]),
  ],
  (body) => ['Transfer-Encoding: gzip, chunked', body],
  (body) => [`Content-Length: ${body.length}\r\nTransfer-Encoding: chunked`, body],
  (body) => ['Content-Length: -1', body],
  (body) => ['Content-Length: 99999999999', body],
  () => ['X-Nothing: 1', Buffer.alloc(0)],
);
const authorization = fc.constantFrom('right', 'none', 'Bearer x', 'Basic eDp4', 'Bearer \u00ff');
const isSigned = fc.boolean();

test('promise 24: no request gets a 5xx, and every error is problem+json of a kind that the docs list', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.record({ method, path, contentType, bytes, framing, authorization, isSigned }),
      async (request) => {
        const [frame, body] = request.framing(request.bytes);
        const where = request.path
          .replace('{project}', project.projectId)
          .replace('{job}', 'job_01jd2x8e4vf3r9c5w7k6t0mzqa');
        const digest = createHmac('sha256', request.isSigned ? webhookSecret : 'x')
          .update(request.bytes)
          .digest('hex');
        const lines = [
          `${request.method} ${where} HTTP/1.1`,
          'Host: localhost',
          'Connection: close',
          `Content-Type: ${request.contentType}`,
          ...(request.authorization === 'none' ? [] : [`Authorization: ${toHeader(request.authorization)}`]),
          ...['X-GitHub-Event: push', 'X-GitHub-Delivery: 1', `X-Hub-Signature-256: sha256=${digest}`],
          ...[frame, '', ''],
        ];
        const answer = await sendRaw(doors.port, Buffer.concat([Buffer.from(lines.join('\r\n'), 'latin1'), body]));
        expectPlain(where, request.method, answer);
      },
    ),
    { numRuns: 600 },
  );
});

const toHeader = (authorization: string) => (authorization === 'right' ? `Bearer ${project.key}` : authorization);
