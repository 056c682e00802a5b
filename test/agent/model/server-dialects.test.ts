import { APIError } from 'openai';
import { expect, test } from 'vitest';
import { createModel } from '../../../src/agent/model/create-model.ts';
import { createDialects, findNeeded, findRefused } from '../../../src/agent/model/server-dialects.ts';
import { readServerError } from '../../../src/agent/model/server-error.ts';
import { chatText, refusal } from './servers/answers.ts';
import { startDialectServer } from './servers/dialect-server.ts';

const names = ['model', 'stream', 'stream_options', 'tools', 'include', 'store', 'reasoning'];
const itemNames = ['reasoning_content', 'status'];
const errorOf = (body: unknown, status = 400) =>
  APIError.generate(status, { error: readServerError(body) }, undefined, new Headers());
const said = (message: string, more: object = {}) => ({ error: { message, ...more } });

test.each([
  ['param', said('Bad request', { param: 'include' }), ['include']],
  ['param below a field', said('Unsupported value', { param: 'reasoning.effort' }), ['reasoning']],
  ['a field of an item', said('Unknown parameter', { param: 'input[2].status' }), ['status']],
  ['words in quotes', said("Unknown parameter: 'store'."), ['store']],
  ['a name that is no word', said('stream_options is not supported'), ['stream_options']],
  ['the first of several names', said("Unknown parameter 'store'. Known are: 'model', 'include'"), ['store']],
  [
    'a path of an item in words',
    said("'messages.1' : property 'reasoning_content' is unsupported"),
    ['reasoning_content'],
  ],
  [
    'in an error that a gateway quotes',
    said('Provider returned error', {
      metadata: { raw: JSON.stringify(said('Unknown parameter', { param: 'store' })) },
    }),
    ['store'],
  ],
  ['an English word', said('Requests that include images are not supported'), []],
  ['a field that must stay', said('The reasoning_content must be passed back', { param: 'messages' }), []],
  ['a needed field', said('Unsupported parameter', { param: 'tools' }), []],
  ['a field that was not sent', said('Unknown parameter', { param: 'temperature' }), []],
])('what a server refuses is found: %s', (_, body, refused) => {
  expect(findRefused({ error: errorOf(body), names, itemNames })).toEqual(refused);
});

test('other errors refuse no field', () => {
  expect(findRefused({ error: errorOf(said('x', { param: 'store' }), 500), names, itemNames })).toEqual([]);
  expect(findRefused({ error: new Error('store is not supported'), names, itemNames })).toEqual([]);
});

test('a refused field that is needed is named', () => {
  expect(findNeeded(errorOf(said('this model does not support tools', { param: 'tools' })))).toBe('tools');
  expect(findNeeded(errorOf(said('too long', { param: 'messages' })))).toBeUndefined();
});

test('what a server refuses is remembered for all models of the process, told once, and for that model only', async () => {
  await using server = await startDialectServer(({ body }) =>
    'stream_options' in body && body.model === 'a' ? refusal('stream_options is not supported') : chatText('yes'),
  );
  const learned: object[] = [];
  const findDialect = createDialects((fields) => void learned.push(fields));
  const ask = (model: string) =>
    createModel({ api: 'chat', apiKey: '', baseUrl: server.url, model, findDialect }).respond(
      {
        instructions: '',
        turns: [{ inputs: ['Answer yes.'], answer: null, results: null }],
        tools: [],
        cacheKey: '',
      },
      new AbortController().signal,
    );
  for (const model of ['a', 'a', 'b']) await ask(model);
  expect(server.asked.map(({ body }) => 'stream_options' in body)).toEqual([true, false, false, true]);
  expect(learned).toEqual([{ server: `${server.url}/chat/completions`, model: 'a', refused: ['stream_options'] }]);
});

test('a field is not remembered where the request fails without it, too', async () => {
  await using server = await startDialectServer(({ body }) =>
    refusal('stream_options' in body ? 'stream_options is not supported' : 'no'),
  );
  const learned: object[] = [];
  const model = createModel({
    api: 'chat',
    apiKey: '',
    baseUrl: server.url,
    model: 'a',
    findDialect: createDialects((fields) => void learned.push(fields)),
  });
  const request = { instructions: '', turns: [], tools: [], cacheKey: '' };
  await expect(model.respond(request, new AbortController().signal)).rejects.toMatchObject({ facts: { words: 'no' } });
  expect(learned).toEqual([]);
});
