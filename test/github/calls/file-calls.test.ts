import nock from 'nock';
import { expect, test } from 'vitest';
import { createClient } from '../create-client.ts';

const repository = () => nock('https://api.github.com');
const path = '/repos/acme/docs/contents/.github%2Fpagewright.yml';
const fetchFile = () => createClient().fetchFile('.github/pagewright.yml');
const file = (text: string, more: object = {}) => {
  const content = Buffer.from(text)
    .toString('base64')
    .replace(/(.{60})/g, '$1\n');
  return { type: 'file', size: Buffer.byteLength(text), encoding: 'base64', content, ...more };
};

test('fetchFile returns the text on the default branch', async () => {
  const text = `base: main # ${'é'.repeat(100)}\n`;
  repository().get(path).reply(200, file(text));
  expect(await fetchFile()).toEqual({ kind: 'text', text });
});

test.each([
  ['nothing', 404, { message: 'Not Found' }],
  ['a directory', 200, [{ type: 'file' }]],
  ['a symlink', 200, { type: 'symlink', target: '/etc/passwd' }],
  ['a submodule', 200, { type: 'submodule' }],
])('fetchFile returns missing for %s', async (_name, status, body) => {
  repository().get(path).reply(status, body);
  expect(await fetchFile()).toEqual({ kind: 'missing' });
});

test('fetchFile does not read a file over 1 MB', async () => {
  repository()
    .get(path)
    .reply(200, file('', { size: 2_000_000, encoding: 'none' }));
  expect(await fetchFile()).toEqual({ kind: 'too_large' });
});
