import nock from 'nock';
import { describe, expect, test } from 'vitest';
import { pullRequestBody } from '../bodies.ts';
import { createClient } from '../create-client.ts';

const repository = (reqheaders: Record<string, string> = {}) => nock('https://api.github.com', { reqheaders });
const path = (page: number) => `/repos/acme/docs/pulls?state=open&page=${page}&per_page=100`;
const list = (etag: string | null) => createClient().listOpenPullRequests({ etag });

describe('the open pull requests', () => {
  test('are listed with an etag for the next request', async () => {
    nock('https://api.github.com', { badheaders: ['if-none-match'] })
      .get(path(1))
      .reply(200, [pullRequestBody(), pullRequestBody({ number: 8 })], { etag: 'W/"one"' });
    const listed = await list(null);
    expect(listed).toMatchObject({ kind: 'listed', etag: 'W/"one"', pullRequests: [{ number: 7 }, { number: 8 }] });
  });

  test('are unchanged after one conditional request', async () => {
    repository({ 'if-none-match': 'W/"one"' }).get(path(1)).reply(304);
    expect(await list('W/"one"')).toEqual({ kind: 'unchanged' });
  });

  test('on more than one page have no etag', async () => {
    const hundred = Array.from({ length: 100 }, (_, index) => pullRequestBody({ number: index + 1 }));
    repository({ 'if-none-match': 'W/"old"' }).get(path(1)).reply(200, hundred, { etag: 'W/"one"' });
    nock('https://api.github.com', { badheaders: ['if-none-match'] })
      .get(path(2))
      .reply(200, [pullRequestBody({ number: 101 })], { etag: 'W/"two"' });
    const listed = await list('W/"old"');
    expect(listed).toMatchObject({ kind: 'listed', etag: null });
    expect(listed.kind === 'listed' && listed.pullRequests.length).toBe(101);
  });
});
