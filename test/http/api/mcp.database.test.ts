import { randomUUID } from 'node:crypto';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { afterAll, beforeEach, describe, expect, test } from 'vitest';
import { z } from 'zod';
import { createProject } from '../../../harness/create-project.ts';
import { updateJob } from '../../../src/store/tables/jobs/jobs.ts';
import { createTestDatabase } from '../../support/databases/database.ts';
import { startApi } from '../../support/doors/api.ts';

let key: string;
let repositoryId = 0;

const db = await createTestDatabase();
const api = await startApi({ store: db.store });
const other = await startApi({ store: db.store });

beforeEach(async () => {
  repositoryId += 1;
  ({ key } = await createProject(db.database, { repositoryId }));
});

afterAll(async () => {
  await other[Symbol.asyncDispose]();
  await api[Symbol.asyncDispose]();
  await db[Symbol.asyncDispose]();
});

async function connect(on = api) {
  const client = new Client({ name: 'test', version: '1' });
  const headers = { authorization: `Bearer ${key}` };
  await client.connect(new StreamableHTTPClientTransport(new URL(`${on.url}/mcp`), { requestInit: { headers } }));
  const use = async (name: string, input: Record<string, unknown> = {}) => {
    const { content, isError = false } = resultShape.parse(await client.callTool({ name, arguments: input }));
    return { text: content[0].text, isError };
  };
  return { client, use, [Symbol.asyncDispose]: () => client.close() };
}

const resultShape = z.object({ content: z.tuple([z.object({ text: z.string() })]), isError: z.boolean().optional() });
const jobShape = z.object({ id: z.string(), status: z.string(), run: z.unknown().optional() });
const toJob = ({ text }: { text: string }) => jobShape.parse(JSON.parse(text));

test('a client creates a job, follows up, lists, reads and cancels it', async () => {
  await using client = await connect();
  const job = toJob(await client.use('create_job', { prompt: 'Document the limit.' }));
  expect(job.status).toBe('active');
  expect((await client.use('send_message', { job_id: job.id, prompt: 'Shorter.' })).isError).toBe(false);
  expect((await client.use('list_jobs', { status: ['active'] })).text).toContain(job.id);
  expect((await client.use('list_jobs', { status: ['failed'] })).text).not.toContain(job.id);
  expect(toJob(await client.use('get_job', { job_id: job.id }))).toMatchObject({ status: 'active', run: null });
  expect(toJob(await client.use('cancel_job', { job_id: job.id })).status).toBe('failed');
});

test('tools that read say so, and all describe themselves', async () => {
  await using client = await connect();
  const { tools } = await client.client.listTools();
  const reading = tools.filter(({ annotations }) => annotations?.readOnlyHint).map(({ name }) => name);
  expect(reading.toSorted()).toEqual(['get_diff', 'get_job', 'list_automations', 'list_jobs', 'wait_for_job']);
  for (const { description, inputSchema } of tools) {
    expect(description).toMatch(/\.$/);
    expect(inputSchema.type).toBe('object');
  }
  expect(client.client.getInstructions()).toContain('create_job');
});

test('any process answers any request: there are no sessions', async () => {
  await using client = await connect();
  const job = toJob(await client.use('create_job', { prompt: 'Document the limit.' }));
  await using elsewhere = await connect(other);
  expect(toJob(await elsewhere.use('get_job', { job_id: job.id })).id).toBe(job.id);
});

test('waiting ends with the job, or after the seconds it was given', async () => {
  await using client = await connect();
  const job = toJob(await client.use('create_job', { prompt: 'Document the limit.' }));
  expect(toJob(await client.use('wait_for_job', { job_id: job.id, seconds: 1 })).status).toBe('active');
  const waiting = client.use('wait_for_job', { job_id: job.id, seconds: 60 });
  await updateJob(db.database, job.id, { status: 'completed', due_at: null });
  expect(toJob(await waiting).status).toBe('completed');
});

test("the API's refusals and mistakes in arguments are the tool's errors, with their reasons", async () => {
  await using client = await connect();
  const missing = await client.use('get_job', { job_id: 'job_01jd2x8e4vf3r9c5w7k6t0mzqa' });
  expect(missing).toMatchObject({ isError: true, text: expect.stringContaining('No such project, job') });
  const ref = await client.use('create_job', { prompt: 'x', ref: 'refs/tags/v1' });
  expect(ref).toMatchObject({ isError: true, text: expect.stringContaining('must be a branch') });
  const wait = await client.use('wait_for_job', { job_id: 'job_x', seconds: 61 });
  expect(wait).toMatchObject({ isError: true, text: expect.stringContaining('60') });
  const path = await client.use('get_job', { job_id: '../../key' });
  expect(path).toMatchObject({ isError: true, text: expect.stringContaining('No such') });
});

test('automations are listed, and one that does not exist is refused', async () => {
  await using client = await connect();
  expect(await client.use('list_automations')).toEqual({ text: '{"automations":[]}', isError: false });
  const missing = await client.use('run_automation', { name: 'tidy' });
  expect(missing).toMatchObject({ isError: true, text: expect.stringContaining('No such') });
});

test('a repetition with the same request_id gets the first job, and other arguments are refused', async () => {
  await using client = await connect();
  const input = { prompt: 'Document the limit.', request_id: randomUUID() };
  const first = toJob(await client.use('create_job', input));
  expect(toJob(await client.use('create_job', input)).id).toBe(first.id);
  const changed = await client.use('create_job', { ...input, prompt: 'Something else.' });
  expect(changed).toMatchObject({ isError: true, text: expect.stringContaining('belongs to another request') });
});

describe('by hand', () => {
  const send = (body: unknown, headers: Record<string, string> = {}) =>
    fetch(`${api.url}/mcp`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${key}`,
        'content-type': 'application/json',
        accept: 'application/json, text/event-stream',
        ...headers,
      },
      body: typeof body === 'string' ? body : JSON.stringify(body),
    });
  const create = (id: unknown, prompt: string) => ({
    jsonrpc: '2.0',
    id,
    method: 'tools/call',
    params: { name: 'create_job', arguments: { prompt } },
  });
  const createdBy = async (body: object) => {
    const answer = z.object({ result: resultShape }).parse(await (await send(body)).json());
    return toJob({ text: answer.result.content[0].text }).id;
  };

  test('a long id of a request makes it safe to repeat; a number, which every session counts anew, does not', async () => {
    const id = randomUUID();
    const first = await createdBy(create(id, 'x'));
    expect(await createdBy(create(id, 'x'))).toBe(first);
    expect(await createdBy(create(id, 'y'))).not.toBe(first);
    expect(await createdBy(create(1, 'x'))).not.toBe(await createdBy(create(1, 'x')));
  });

  test.each([
    ['no key', create(1, 'x'), { authorization: '' }, 401],
    ['a wrong key', create(1, 'x'), { authorization: 'Bearer pagewright_wrong' }, 401],
    ['a batch', [create(1, 'x')], {}, 400],
    ['no JSON', '{', {}, 400],
    ['no message', { hello: 'world' }, {}, 400],
    ['another type', 'x=1', { 'content-type': 'application/x-www-form-urlencoded' }, 415],
    ['a client that cannot read the answers', create(1, 'x'), { accept: 'text/html' }, 406],
    ['a page of another site', create(1, 'x'), { origin: 'https://evil.example' }, 403],
    ['too much', JSON.stringify(create(1, 'x'.repeat(300_000))), {}, 413],
  ])('%s is refused', async (_case, body, headers, status) => {
    const answer = await send(body, headers);
    expect([answer.status, answer.headers.has('www-authenticate')]).toEqual([status, status === 401]);
  });

  test('other methods are refused: there is no stream to open, and no session to end', async () => {
    const answer = await fetch(`${api.url}/mcp`, { headers: { authorization: `Bearer ${key}` } });
    expect([answer.status, answer.headers.get('allow')]).toEqual([405, 'POST, OPTIONS']);
  });
});
