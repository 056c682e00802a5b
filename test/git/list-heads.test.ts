import nock from 'nock';
import { expect, test } from 'vitest';
import { listHeads } from '../../src/git/list-heads.ts';

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

test.each([
  ['a refusal', 403, ''],
  ['a server error', 503, ''],
  ['a redirect', 302, ''],
  ['a page in place of an answer', 200, '<html>'],
  ['an error in the answer', 200, line('ERR no such command')],
  ['an answer without its end', 200, line(`${sha} refs/heads/main`)],
  ['an answer cut within a line', 200, line(`${sha} refs/heads/main`).slice(0, -4)],
  ['an empty answer', 200, ''],
])('%s is a failure, and no list without branches', async (_name, status, answer) => {
  await expect(ask(status, answer)).rejects.toThrow(/^(could not|a list of branches broke off)/);
});
