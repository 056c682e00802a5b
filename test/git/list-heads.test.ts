import { once } from 'node:events';
import { createServer } from 'node:http';
import nock from 'nock';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { listHeads } from '../../src/git/remote.ts';

const remote = { url: 'https://github.example/acme/docs.git', token: 'ghs_1' };
const { signal } = new AbortController();
const ask = (status: number, answer: string) => {
  nock('https://github.example').post('/acme/docs.git/git-upload-pack').reply(status, answer);
  return listHeads(remote, { prefixes: ['main'], signal });
};
const sha = 'a'.repeat(40);
const line = (text: string) => `${(text.length + 5).toString(16).padStart(4, '0')}${text}\n`;

test('branches are read with their tips', async () => {
  const heads = [line(`${sha} refs/heads/main`), line(`${sha} refs/heads/main/e`), '0000'].join('');
  expect(await ask(200, heads)).toEqual([
    ['main', sha],
    ['main/e', sha],
  ]);
  expect(await ask(200, '0000')).toEqual([]);
});

test('the question names the prefix, and the version of the protocol', async () => {
  nock('https://github.example', {
    reqheaders: { 'git-protocol': 'version=2', authorization: /^Basic / },
  })
    .post('/acme/docs.git/git-upload-pack', '0014command=ls-refs\n0001001fref-prefix refs/heads/main\n0000')
    .reply(200, '0000');
  expect(await listHeads(remote, { prefixes: ['main'], signal })).toEqual([]);
});

const cannotRead = /^could not read a list of branches: /;

test.each([
  ['a refusal', 403, '0000', /^could not list the branches of .*: 403$/],
  ['a server error', 503, '0000', /: 503$/],
  ['a page in place of an answer', 200, '<html>', cannotRead],
  ['an error in the answer', 200, line('ERR no such command'), cannotRead],
  ['an answer without its end', 200, line(`${sha} refs/heads/main`), /^a list of branches broke off$/],
  ['an answer cut within a line', 200, line(`${sha} refs/heads/main`).slice(0, -4), /^a list of branches broke off$/],
  ['an empty answer', 200, '', /^a list of branches broke off$/],
])('%s is a failure, and no list without branches', async (_name, status, answer, message) => {
  await expect(ask(status, answer)).rejects.toThrow(message);
});

test('a redirect is not followed', async () => {
  nock('https://github.example').post('/acme/docs.git/git-upload-pack').reply(302, '', { location: '/elsewhere' });
  await expect(listHeads(remote, { prefixes: ['main'], signal })).rejects.toThrow(/: 302$/);
});

test('of a list longer than 16 MiB the whole branches up to there are read, and no more', async () => {
  const text = line(`${sha} refs/heads/${'branch'.repeat(30)}`);
  const lines = Buffer.from(text.repeat(5_000));
  // Each chunk ends within a SHA.
  const chunks = [lines.subarray(0, 20), ...Array.from({ length: 40 }, () => turn(lines, 20))];
  let sent = 0;
  await using server = createServer(async (_request, response) => {
    for (const chunk of chunks) {
      if (response.destroyed) break;
      sent += 1;
      await new Promise((sent) => response.write(chunk, sent));
    }
    response.end();
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const { port } = addressShape.parse(server.address());
  const found = await listHeads({ ...remote, url: `http://127.0.0.1:${port}` }, { prefixes: ['branch'], signal });
  expect(found.length).toBeGreaterThanOrEqual(Math.floor((16 * 1024 ** 2) / text.length));
  expect(new Set(found.map(([branch]) => branch))).toEqual(new Set(['branch'.repeat(30)]));
  expect(sent).toBeLessThan(chunks.length);
});

const addressShape = z.object({ port: z.number() });

const turn = (bytes: Buffer, by: number) => Buffer.concat([bytes.subarray(by), bytes.subarray(0, by)]);
