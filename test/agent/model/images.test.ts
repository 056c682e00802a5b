import { expect, test } from 'vitest';
import { createModel } from '../../../src/agent/model/create-model.ts';
import type { Turn } from '../../../src/agent/model/model.ts';
import { createDialects } from '../../../src/agent/model/server-dialects.ts';
import { chatText, outputMessage, refusal, response } from './servers/answers.ts';
import { type Fields, type Reply, startDialectServer } from './servers/dialect-server.ts';

const turn: Turn = {
  inputs: ['As in the image.'],
  images: [{ mediaType: 'image/png', data: 'aGk=' }],
  answer: null,
  results: null,
};
const url = 'data:image/png;base64,aGk=';
const hasImage = (body: Fields) => JSON.stringify(body).includes(url);
const request = { instructions: 'Help.', turns: [turn], tools: [], cacheKey: 'job' };
const signal = new AbortController().signal;
const settings = { apiKey: '', model: 'a', attempts: 1, backoffMs: 1 };

test('Chat Completions get an image as a data URL after the text', async () => {
  await using server = await startDialectServer(() => chatText('yes'));
  await createModel({ api: 'chat', baseUrl: server.url, ...settings }).respond(request, signal);
  expect(server.asked[0]?.body.messages).toEqual([
    { role: 'system', content: 'Help.' },
    {
      role: 'user',
      content: [
        { type: 'text', text: 'As in the image.' },
        { type: 'image_url', image_url: { url } },
      ],
    },
  ]);
});

test('Responses get an image as input_image', async () => {
  await using server = await startDialectServer(() => ({ json: response([outputMessage('yes')]) }));
  await createModel({ api: 'responses', baseUrl: server.url, ...settings }).respond(request, signal);
  expect(server.asked[0]?.body.input).toEqual([
    {
      role: 'user',
      content: [
        { type: 'input_text', text: 'As in the image.' },
        { type: 'input_image', detail: 'auto', image_url: url },
      ],
    },
  ]);
});

const says = (status: number, message: string): Reply => ({ status, json: { error: { message } } });

test.each([
  ['OpenAI', says(400, 'Invalid content type. image_url is only supported by certain models.')],
  ['vLLM', says(400, 'a is not a multimodal model')],
  ['llama.cpp', says(500, 'image input is not supported - hint: you may need to provide the mmproj')],
  ['OpenRouter', says(404, 'No endpoints found that support image input')],
  ['a server that expects a text', says(422, 'messages[1].content: input should be a valid string')],
  ['a proxy with a small limit', says(413, 'request entity too large')],
])('images that %s refuses are left out, the model is told, and the server’s words are kept', async (_, refused) => {
  await using server = await startDialectServer(({ body }) => (hasImage(body) ? refused : chatText('yes')));
  const learned: object[] = [];
  const findDialect = createDialects((found) => void learned.push(found));
  const model = createModel({ api: 'chat', baseUrl: server.url, ...settings, findDialect });
  const answers = [await model.respond(request, signal), await model.respond(request, signal)];
  expect(answers).toMatchObject([
    { text: 'yes', imagesRefused: expect.any(String) },
    { text: 'yes', imagesRefused: expect.any(String) },
  ]);
  expect(server.asked.map(({ body }) => hasImage(body))).toEqual([true, false, false]);
  expect(JSON.stringify(server.asked[1]?.body)).toContain('You do not see the images of this turn');
});

test('a server that refuses images is asked without them in all later runs', async () => {
  await using server = await startDialectServer(({ body }) =>
    hasImage(body) ? says(400, 'a is not a multimodal model') : chatText('yes'),
  );
  const findDialect = createDialects();
  for (let run = 0; run < 2; run += 1) {
    const model = createModel({ api: 'chat', baseUrl: server.url, ...settings, findDialect });
    expect(await model.respond(request, signal)).toMatchObject({ imagesRefused: 'a is not a multimodal model' });
  }
  expect(server.asked).toHaveLength(3);
});

test('one broken image does not end the images of later runs', async () => {
  await using server = await startDialectServer(({ body }) =>
    hasImage(body) ? says(400, 'Could not decode the image') : chatText('yes'),
  );
  const findDialect = createDialects();
  for (let run = 0; run < 2; run += 1)
    await createModel({ api: 'chat', baseUrl: server.url, ...settings, findDialect }).respond(request, signal);
  expect(server.asked.map(({ body }) => hasImage(body))).toEqual([true, false, true, false]);
});

test('where the request fails without its images, too, the first reason is told', async () => {
  await using server = await startDialectServer(({ body }) => refusal(hasImage(body) ? 'no such model' : 'no'));
  const model = createModel({ api: 'chat', baseUrl: server.url, ...settings });
  await expect(model.respond(request, signal)).rejects.toMatchObject({ facts: { words: 'no such model' } });
});

test('a wrong key is no reason to leave images out', async () => {
  await using server = await startDialectServer(() => says(401, 'invalid key'));
  const model = createModel({ api: 'chat', baseUrl: server.url, ...settings });
  await expect(model.respond(request, signal)).rejects.toMatchObject({ facts: { reason: 'model_auth' } });
  expect(server.asked).toHaveLength(1);
});

test('the tokens of a server that counts none are not estimated from the bytes of images', async () => {
  await using server = await startDialectServer(() => chatText('yes'));
  const large: Turn = { ...turn, images: [{ mediaType: 'image/png', data: 'a'.repeat(400_000) }] };
  const model = createModel({ api: 'chat', baseUrl: server.url, ...settings });
  const { usage } = await model.respond({ ...request, turns: [large] }, signal);
  expect(usage.tokensIn).toBeLessThan(5_000);
});
