import { once } from 'node:events';
import { mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseEnv } from 'node:util';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { init, writeVariables } from '../../../src/cli/init/init.ts';

// A model server that knows one key. It lists a model, and answers Chat Completions with the tool that it is asked to call.
const server = createServer((request, response) => {
  const isKnown = request.headers.authorization === 'Bearer sk-right';
  const answer = request.url?.endsWith('/models')
    ? { data: [{ id: 'small' }] }
    : {
        id: 'x',
        object: 'chat.completion',
        created: 1,
        model: 'small',
        usage: { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 },
        choices: [{ index: 0, finish_reason: 'stop', message: { role: 'assistant', content: 'ok' } }],
      };
  response
    .writeHead(isKnown ? 200 : 401, { 'content-type': 'application/json' })
    .end(JSON.stringify(isKnown ? answer : {}));
});
let directory: string;
let file: string;
let printed: string;
let url: string;
beforeAll(async () => {
  await once(server.listen(0, '127.0.0.1'), 'listening');
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`;
});
afterAll(() => void server.close());
beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'init-'));
  file = join(directory, '.env');
  printed = '';
  return () => rm(directory, { recursive: true });
});

async function run(values: Record<string, string>, answers?: string[][]) {
  const { OPENAI_API_KEY = '', ...given } = values;
  const queue = answers?.flat() ?? [];
  const { hasFailed } = await init(
    { file, isAsking: answers !== undefined, given },
    { isColoured: false, signal: AbortSignal.timeout(60_000) },
    {
      environment: { OPENAI_API_KEY, OPENAI_API: 'chat' },
      ask: async ({ current }) => queue.shift() || current,
      print: (text) => {
        printed += text;
      },
    },
  );
  return !hasFailed;
}

test('a program writes values that work, for nobody else to read', async () => {
  const given = { OPENAI_API_KEY: 'sk-right', OPENAI_MODEL: 'small', OPENAI_BASE_URL: url };
  expect([await run(given), printed]).toEqual([true, expect.stringContaining('Next: pagewright start')]);
  expect(parseEnv(await readFile(file, 'utf8'))).toEqual(given);
  expect((await stat(file)).mode & 0o777).toBe(0o600);
});

test('a key that the model server refuses is told, and nothing is written', async () => {
  const given = { OPENAI_API_KEY: 'sk-wrong', OPENAI_MODEL: 'small', OPENAI_BASE_URL: url };
  expect(await run(given)).toBe(false);
  expect(printed).toMatch(/broken +model .*refuses OPENAI_API_KEY/);
  await expect(stat(file)).rejects.toThrow('ENOENT');
});

test('a person is asked until nothing is broken, and other lines of the file stay', async () => {
  await writeFile(file, '# ours\nPORT=4000\nOPENAI_MODEL=old # once\n');
  const wrong = [url, 'sk-wrong', 'small', 'https://docs.example.invalid'];
  expect(await run({}, [wrong, ['', 'sk-right', '', '']])).toBe(true);
  expect(printed).toContain('Nothing is written yet.');
  expect(await readFile(file, 'utf8')).toBe(
    `# ours\nPORT=4000\nOPENAI_MODEL=small\nOPENAI_BASE_URL=${url}\nOPENAI_API_KEY=sk-right\nPUBLIC_URL=https://docs.example.invalid\n`,
  );
});

test('without a model a program is told the variable', async () => {
  await expect(run({ OPENAI_API_KEY: 'sk-right' })).rejects.toThrow('OPENAI_MODEL');
});

test.each(['plain', 'with # and space', "it's", '"quoted"', 'a=b', '$HOME', 'back\\slash'])(
  'a value is read as it was given: %s',
  (value) => {
    expect(parseEnv(writeVariables('A=1', { KEY: value }))).toEqual({ A: '1', KEY: value });
  },
);

test('a value that no quotation holds is refused', () => {
  expect(() => writeVariables('', { KEY: `a'"\`#b` })).toThrow('KEY cannot be written');
});
