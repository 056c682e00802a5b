import { describe, expect, test } from 'vitest';
import { chosen, steps } from '../../../local/model/script.ts';
import { startModelServer } from '../../../local/model/start-model-server.ts';

const user = { role: 'user', content: 'hello' };
const responses = (input: object[], more: object = {}) => ({
  path: '/responses',
  body: { model: 'm', input, store: false, stream: true, ...more },
});
const chat = (messages: object[], more: object = {}) => ({
  path: '/chat/completions',
  body: { model: 'm', messages, stream: true, ...more },
});
const call = { type: 'function_call', call_id: 'c1', name: 'n', arguments: '{}' };
const output = { type: 'function_call_output', call_id: 'c1', output: 'o' };
const asked = {
  role: 'assistant',
  content: null,
  tool_calls: [{ id: 'c1', type: 'function', function: { name: 'n', arguments: '{}' } }],
};
const toolResult = { role: 'tool', tool_call_id: 'c1', content: 'o' };

async function post(url: string, { path, body }: { path: string; body: object }, headers: Record<string, string> = {}) {
  const response = await fetch(url + path, { method: 'POST', body: JSON.stringify(body), headers });
  return { status: response.status, text: await response.text() };
}

describe('the model server is as strict about the protocol as the real one', () => {
  test.each([
    { name: 'responses: a whole conversation', request: responses([user, call, output]), status: 200 },
    { name: 'responses: an output without its call', request: responses([user, output]), status: 400 },
    { name: 'responses: an output twice', request: responses([user, call, output, output]), status: 400 },
    { name: 'responses: a call without its output', request: responses([user, call]), status: 400 },
    { name: 'responses: a message before the output', request: responses([user, call, user, output]), status: 400 },
    { name: 'responses: an unknown role', request: responses([{ ...user, role: 'robot' }]), status: 400 },
    { name: 'responses: an unknown kind of item', request: responses([user, { type: 'magic' }]), status: 400 },
    {
      name: 'responses: reasoning that nothing follows',
      request: responses([user, { type: 'reasoning', id: 'r', encrypted_content: 'sealed:1' }]),
      status: 400,
    },
    {
      name: 'responses: reasoning that is not the one it gave',
      request: responses([user, { type: 'reasoning', id: 'r', encrypted_content: 'x' }, call, output]),
      status: 400,
    },
    { name: 'responses: no input', request: responses([]), status: 400 },
    {
      name: 'responses: an answer with nothing after it',
      request: responses([user, { role: 'assistant', content: 'a' }]),
      status: 400,
    },
    { name: 'chat: a whole conversation', request: chat([user, asked, toolResult]), status: 200 },
    { name: 'chat: a result without its call', request: chat([user, toolResult]), status: 400 },
    { name: 'chat: a call without its result', request: chat([user, asked]), status: 400 },
    { name: 'chat: an unknown role', request: chat([{ ...user, role: 'developer' }]), status: 400 },
    {
      name: 'chat: an assistant without content',
      request: chat([user, { role: 'assistant', content: null }, user]),
      status: 400,
    },
    {
      name: 'chat: broken arguments',
      request: chat([
        user,
        { ...asked, tool_calls: [{ ...asked.tool_calls[0], function: { name: 'n', arguments: '{' } }] },
        toolResult,
      ]),
      status: 400,
    },
    { name: 'chat: an unknown field', request: chat([user], { prompt_cache_key: 'k' }), status: 400 },
    { name: 'an unknown path', request: { path: '/embeddings', body: {} }, status: 404 },
    { name: 'an unknown model', request: responses([user], { model: 'other' }), status: 404 },
  ])('$name: $status', async ({ request, status }) => {
    await using server = await startModelServer({ script: () => ({ text: 'hi' }), models: ['m'] });
    expect(await post(server.url, request)).toMatchObject({ status });
    expect(server.requests).toHaveLength(1);
  });
});

describe('a script', () => {
  test('follows the conversation, so that several conversations run at once', async () => {
    const script = chosen([
      { when: 'first job', script: steps([{ text: 'A0' }, { text: 'A1' }]) },
      {
        when: 'second job',
        script: steps([{ text: 'B0' }, ({ lastResults }) => ({ text: `B1 ${lastResults[0]?.output}` })]),
      },
    ]);
    await using server = await startModelServer({ script });
    const one = { role: 'user', content: 'the first job' };
    const two = { role: 'user', content: 'the second job' };
    const texts = await Promise.all(
      [chat([one]), responses([two, call, output]), chat([one, asked, toolResult]), responses([two])].map((request) =>
        post(server.url, request),
      ),
    );
    expect(texts.map(({ text }) => /[AB]\d( o)?/.exec(text)?.[0])).toEqual(['A0', 'B1 o', 'A1', 'B0']);
  });

  test('beyond its end, or that throws, answers 400, which no client retries', async () => {
    await using server = await startModelServer({ script: steps([]) });
    expect(await post(server.url, chat([user]))).toMatchObject({ status: 400 });
    server.setScript(() => {
      throw new Error('a bug in the test');
    });
    expect(await post(server.url, chat([user]))).toMatchObject({
      status: 400,
      text: expect.stringContaining('a bug in the test'),
    });
  });
});

test('cached tokens are those of the longest prefix seen with the same key', async () => {
  await using server = await startModelServer({ script: () => ({ text: 'hi' }) });
  const more = { role: 'user', content: 'more' };
  await post(server.url, responses([user], { prompt_cache_key: 'a' }));
  await post(server.url, responses([user, more], { prompt_cache_key: 'b' }));
  await post(server.url, responses([user, more], { prompt_cache_key: 'a' }));
  await post(server.url, responses([more], { prompt_cache_key: 'a', instructions: 'other' }));
  const cached = server.requests.map(({ tokensCached }) => tokensCached);
  expect(cached).toEqual([0, 0, expect.any(Number), 0]);
  expect(cached[2]).toBeGreaterThan(0);
});
