import { once } from 'node:events';
import { connect } from 'node:net';
import { gzipSync } from 'node:zlib';
import nock from 'nock';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { z } from 'zod';
import { createProject } from '../../../harness/create-project.ts';
import { bodyLimits } from '../../../src/http/bodies/body-budget.ts';
import { jobShape, problemShape } from '../../support/doors/api.ts';
import { openApi } from '../../support/doors/open-api.ts';

const { db, api } = await openApi();
const project = await createProject(db.database);
const key = project.key;
const path = `/v2/agent/${project.projectId}/job`;

const post = (body: unknown, headers = {}) => api.call('POST', path, { key, body, headers });
const countJobs = async () => (await db.database.selectFrom('jobs').select('job_id').execute()).length;
const invalid = problemShape.extend({ errors: z.array(z.strictObject({ pointer: z.string(), detail: z.string() })) });

describe('an invalid body', () => {
  test.each<[string, unknown, string[]]>([
    ['no prompt', {}, ['#/prompt']],
    ['an empty prompt', { prompt: '' }, ['#/prompt']],
    ['a blank prompt', { prompt: ' \n\t\u00a0 ' }, ['#/prompt']],
    ['a prompt that is a number', { prompt: 7 }, ['#/prompt']],
    ['a prompt that is null', { prompt: null }, ['#/prompt']],
    ['a prompt that is a list', { prompt: ['x'] }, ['#/prompt']],
    ['a prompt with NUL', { prompt: 'a\0b' }, ['#/prompt']],
    ['a prompt that nobody sees', { prompt: '\u200b\u202e' }, ['#/prompt']],
    ['a prompt with a lone surrogate', '{"prompt": "a\\ud800b"}', ['#/prompt']],
    ['a prompt that is too long', { prompt: 'x'.repeat(32_001) }, ['#/prompt']],
    ['a ref that is no branch name', { prompt: 'x', ref: 'a..b' }, ['#/ref']],
    ['a ref with NUL', { prompt: 'x', ref: 'a\0' }, ['#/ref']],
    ['an empty ref', { prompt: 'x', ref: '' }, ['#/ref']],
    ['a model that nobody allowed', { prompt: 'x', model: 'gpt-2' }, ['#/model']],
    ['a draft that is a word', { prompt: 'x', draft: 'yes' }, ['#/draft']],
    ['everything wrong', { prompt: 1, ref: 2, model: 3, draft: 4 }, ['#/prompt', '#/ref', '#/model', '#/draft']],
    ['a prompt only in the prototype', '{"__proto__": {"prompt": "x"}}', ['#/prompt', '#/__proto__']],
    ['a field that is unknown', { prompt: 'x', colour: 'red' }, ['#/colour']],
    ['a field of every object', { prompt: 'x', constructor: 1 }, ['#/constructor']],
    ['a field with a name that a pointer escapes', { prompt: 'x', 'a/b~ c': 1 }, ['#/a~1b~0%20c']],
    ['a tag', { prompt: 'x', ref: 'refs/tags/v1' }, ['#/ref']],
    ['only refs/heads/', { prompt: 'x', ref: 'refs/heads/' }, ['#/ref']],
    ['a list', [{ prompt: 'x' }], ['#']],
    ['a string', '"prompt"', ['#']],
    ['null', 'null', ['#']],
    ['broken JSON', '{"prompt": "x"', ['#']],
    ['no JSON at all', 'prompt=x', ['#']],
    ['nothing', '', ['#']],
  ])('%s: 400 names each bad field', async (_name, body, pointers) => {
    const before = await countJobs();
    const answer = await post(body);
    expect(answer.status, answer.text).toBe(400);
    const { errors } = invalid.parse(answer.body);
    expect(errors.map(({ pointer }) => pointer)).toEqual(pointers);
    expect(await countJobs()).toBe(before);
  });

  test('is described in one sentence', async () => {
    const { body } = await post({ ref: 'a b', model: 'gpt-2' });
    expect(problemShape.parse(body).detail).toBe(
      'Invalid request: prompt is required; ref must be a valid branch name; model must be one of: gpt-5, gpt-5-mini.',
    );
  });
});

describe('the body of a request that takes none', () => {
  const archive = async (body: unknown) => {
    const { id } = jobShape.parse((await post({ prompt: 'x' })).body);
    return api.call('POST', `${path}/${id}/archive`, { key, body });
  };

  test.each<[string, unknown, string]>([
    ['a parameter of the query', { close: true }, 'close belongs in the query: `?close=…`.'],
    ['a field of nothing', { reason: 'old' }, 'reason is unknown: send no body.'],
    ['a field of every object', '{"__proto__": 1}', '__proto__ is unknown: send no body.'],
    ['a list', [], 'the body must be empty.'],
    ['no JSON', 'close=true', 'the body is not valid JSON.'],
  ])('%s: 400 says where it belongs, and nothing happens', async (_name, body, detail) => {
    const answer = await archive(body);
    expect([answer.status, problemShape.parse(answer.body).detail]).toEqual([400, `Invalid request: ${detail}`]);
    expect(await db.database.selectFrom('jobs').select('job_id').where('status', '=', 'archived').execute()).toEqual(
      [],
    );
  });

  test.each<[string, unknown]>([
    ['nothing', ''],
    ['an empty object', {}],
  ])('%s is taken', async (_name, body) => {
    expect((await archive(body)).status).toBe(200);
  });
});

describe('an unknown field', () => {
  test.each([
    ['branch', 'ref'],
    ['base', 'ref'],
    ['base_branch', 'ref'],
    ['promt', 'prompt'],
    ['Prompt', 'prompt'],
    ['message', 'prompt'],
    ['modle', 'model'],
    ['isDraft', 'draft'],
  ])('%s: 400 asks whether %s was meant', async (name, meant) => {
    const before = await countJobs();
    const answer = await post({ prompt: 'x', [name]: 'x' });
    expect(answer.status).toBe(400);
    const detail = `is unknown: did you mean \`${meant}\`?`;
    expect(invalid.parse(answer.body)).toMatchObject({
      detail: `Invalid request: ${name} ${detail}`,
      errors: [{ pointer: `#/${name}`, detail }],
    });
    expect(await countJobs()).toBe(before);
  });

  test('like none of ours: 400 says what there is', async () => {
    const { body } = await post({ prompt: 'x', colour: 'red' });
    expect(problemShape.parse(body).detail).toBe(
      'Invalid request: colour is unknown: use only prompt, ref, model, draft, images.',
    );
  });

  test('of a message is refused, too, also one of a new job', async () => {
    const { id } = jobShape.parse((await post({ prompt: 'x' })).body);
    const answer = await api.call('POST', `${path}/${id}/message`, { key, body: { prompt: 'x', ref: 'main' } });
    expect([answer.status, problemShape.parse(answer.body).detail]).toEqual([
      400,
      'Invalid request: ref is unknown: use only prompt, images.',
    ]);
  });

  test('with a thousand others makes no long answer', async () => {
    const many = Object.fromEntries(Array.from({ length: 1_000 }, (_, index) => [`${'x'.repeat(150)}${index}`, 1]));
    const answer = await post({ prompt: 'x', ...many });
    expect(answer.status).toBe(400);
    expect(answer.text.length).toBeLessThan(20_000);
  });
});

test('a ref with refs/heads/ is that branch', async () => {
  const { body } = await post({ prompt: 'x', ref: 'refs/heads/docs/v2' });
  expect(jobShape.parse(body).source.ref).toBe('docs/v2');
});

test.each<[string, unknown]>([
  ['a prompt of 32,000 characters', { prompt: 'x'.repeat(32_000) }],
  ['a prompt of 32,000 characters that are two code units each', { prompt: '😀'.repeat(32_000) }],
  ['a prompt whose white space makes it too long', { prompt: `${' '.repeat(40_000)}x` }],
  ['a ref with refs/heads/', { prompt: 'x', ref: 'refs/heads/docs/v2' }],
])('%s: 201', async (_name, body) => {
  const answer = await post(body);
  expect(answer.status, answer.text).toBe(201);
  jobShape.parse(answer.body);
});

test.each([
  ['text/plain'],
  ['application/x-www-form-urlencoded'],
  ['multipart/form-data; boundary=x'],
  ['application/jsonp'],
  ['nonsense'],
])('a body of type %s: 415', async (type) => {
  const answer = await post('{"prompt": "x"}', { 'content-type': type });
  expect([answer.status, problemShape.parse(answer.body).type]).toEqual([
    415,
    'urn:pagewright:problem:unsupported-media-type',
  ]);
});

test.each([
  ['application/json'],
  ['application/json; charset=utf-8'],
  ['APPLICATION/JSON'],
  ['application/vnd.acme+json'],
])('a body of type %s: 201', async (type) => {
  expect((await post('{"prompt": "x"}', { 'content-type': type })).status).toBe(201);
});

test.each([
  ['a charset that nobody knows', { 'content-type': 'application/json; charset=utf-99' }],
  ['a charset that is not Unicode', { 'content-type': 'application/json; charset=latin1' }],
  ['a charset other than UTF-8', { 'content-type': 'application/json; charset=utf-16' }],
])('promise 24: %s: 415', async (_name, headers) => {
  expect((await post('{"prompt": "x"}', headers)).status).toBe(415);
});

const json = '{"prompt": "x"}';

test.each<[string, Uint8Array]>([
  ['UTF-16', Buffer.from(json, 'utf16le')],
  ['UTF-16 with its byte order mark', Buffer.from(`\ufeff${json}`, 'utf16le')],
  ['UTF-16, big-endian', Buffer.from(json, 'utf16le').swap16()],
  ['UTF-32', Buffer.from(json.split('').flatMap((letter) => [letter.charCodeAt(0), 0, 0, 0]))],
  ['invalid UTF-8', Buffer.from('{"prompt": "\xe9"}', 'latin1')],
  ['UTF-8 with encoded surrogates', Buffer.from('{"prompt": "\xed\xa0\x80"}', 'latin1')],
])('promise 24: a body in %s: 415', async (_name, body) => {
  const answer = await post(body);
  expect([answer.status, problemShape.parse(answer.body).type]).toEqual([
    415,
    'urn:pagewright:problem:unsupported-media-type',
  ]);
});

test('a body in UTF-8 with a byte order mark: 201', async () => {
  expect((await post(`\ufeff${json}`)).status).toBe(201);
});

test('a compressed body: 415', async () => {
  const body = gzipSync('{"prompt": "x"}');
  expect((await post(body, { 'content-encoding': 'gzip' })).status).toBe(415);
});

describe('a body over 256 KiB', () => {
  const tooLong = JSON.stringify({ prompt: 'x'.padEnd(1 + bodyLimits.small) });

  test('is refused, and one of exactly that size is not', async () => {
    const answer = await post(tooLong);
    expect([answer.status, problemShape.parse(answer.body).type]).toEqual([
      413,
      'urn:pagewright:problem:content-too-large',
    ]);
    const frame = JSON.stringify({ prompt: 'x' }).length;
    const fits = JSON.stringify({ prompt: 'x'.padEnd(1 + bodyLimits.small - frame) });
    expect((await post(fits)).status).toBe(201);
  });

  test('is refused by its Content-Length, before it is read', async () => {
    expect(await send({ 'content-length': String(10 * 1024 ** 3) }, '{')).toMatch(/^HTTP\/1.1 413 /);
  });

  test('promise 7: is refused without a Content-Length, as any body is', async () => {
    const chunked = `${tooLong.length.toString(16)}\r\n${tooLong}\r\n0\r\n\r\n`;
    expect(await send({ 'transfer-encoding': 'chunked' }, chunked)).toMatch(/^HTTP\/1.1 411 /);
    expect(await send({ 'transfer-encoding': 'chunked' }, '1\r\n{\r\n')).toMatch(/^HTTP\/1.1 411 /);
    expect(await send({}, '')).toMatch(/^HTTP\/1.1 411 /);
  });

  test('is not read without a valid key', async () => {
    const headers = { 'content-length': String(10 * 1024 ** 3), authorization: 'Bearer x' };
    expect(await send(headers, '{')).toMatch(/^HTTP\/1.1 401 /);
  });

  // nock, also where it lets a request through, hands it on only when it has all of it.
  beforeAll(() => nock.restore());
  afterAll(() => nock.activate());

  async function send(headers: Record<string, string>, body: string): Promise<string> {
    const { hostname, port, host } = new URL(api.url);
    const all = { host, 'content-type': 'application/json', authorization: `Bearer ${key}`, ...headers };
    const socket = connect(Number(port), hostname);
    const head = Object.entries(all).map(([name, value]) => `${name}: ${value}\r\n`);
    socket.write(`POST ${path} HTTP/1.1\r\n${head.join('')}\r\n${body}`);
    const [answer] = await once(socket, 'data');
    socket.destroy();
    return String(answer);
  }
});
