import nock from 'nock';
import { describe, expect, test } from 'vitest';
import { repositoryBody } from './bodies.ts';
import { createClient } from './create-client.ts';

const repository = () => nock('https://api.github.com');
const docs = '/repos/acme/docs';

describe('fetchRepository', () => {
  test('tells the current name and state', async () => {
    repository()
      .get(docs)
      .reply(200, repositoryBody({ archived: true }));
    expect(await createClient().fetchRepository()).toEqual({
      repositoryId: 42,
      owner: 'acme',
      repo: 'docs',
      fullName: 'acme/docs',
      defaultBranch: 'main',
      archived: true,
      disabled: false,
      private: true,
      sizeKb: 120,
    });
  });

  test('ends the run when the repository is gone', async () => {
    repository().get(docs).reply(404, { message: 'Not Found' });
    await expect(createClient().fetchRepository()).rejects.toMatchObject({ code: 'repository_gone' });
  });

  test('ends the run when another repository has taken the name', async () => {
    repository()
      .get(docs)
      .reply(200, repositoryBody({ id: 43 }));
    await expect(createClient().fetchRepository()).rejects.toMatchObject({ code: 'repository_gone' });
  });
});

describe('fetchFile', () => {
  const path = `${docs}/contents/.github%2Fpagewright.yml?ref=main`;
  const file = (text: string, more: object = {}) => {
    const content = Buffer.from(text)
      .toString('base64')
      .replace(/(.{60})/g, '$1\n');
    return { type: 'file', size: Buffer.byteLength(text), encoding: 'base64', content, ...more };
  };
  const fetchFile = () => createClient().fetchFile('.github/pagewright.yml', 'main');

  test('returns the text', async () => {
    const text = `base: main # ${'é'.repeat(100)}\n`;
    repository().get(path).reply(200, file(text));
    expect(await fetchFile()).toBe(text);
  });

  test.each([
    ['nothing', 404, { message: 'Not Found' }],
    ['a directory', 200, [{ type: 'file' }]],
    ['a symlink', 200, { type: 'symlink', target: '/etc/passwd' }],
    ['a submodule', 200, { type: 'submodule' }],
  ])('finds no file where there is %s', async (_name, status, body) => {
    repository().get(path).reply(status, body);
    expect(await fetchFile()).toBeUndefined();
  });

  test('refuses a file over 1 MB', async () => {
    repository()
      .get(path)
      .reply(200, file('', { size: 2_000_000, encoding: 'none' }));
    await expect(fetchFile()).rejects.toMatchObject({ code: 'file_too_large' });
  });

  test('refuses to read an empty repository', async () => {
    repository().get(path).reply(409, { message: 'Git Repository is empty.' });
    await expect(fetchFile()).rejects.toMatchObject({
      code: 'github_refused',
      message: 'GitHub refused to read .github/pagewright.yml at main in acme/docs: Git Repository is empty.',
    });
  });
});
