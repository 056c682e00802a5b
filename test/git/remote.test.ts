import nock from 'nock';
import { expect, test } from 'vitest';
import { Parked } from '../../src/errors.ts';
import { createGit, type RemoteLimit } from '../../src/git/git.ts';
import { explainRemoteFailure } from '../../src/git/remote.ts';

const { signal } = new AbortController();

/** Explains a failed fetch while the server answers 429. `reported` are the reported limits. */
async function meetLimit({ retryAfter, says }: { retryAfter?: string; says?: Date }) {
  nock('https://github.example')
    .get('/acme/docs.git/info/refs?service=git-upload-pack')
    .reply(429, '', retryAfter === undefined ? {} : { 'retry-after': retryAfter });
  const reported: RemoteLimit[] = [];
  const git = Object.assign(createGit({ allowHttp: false }), {
    onLimited: async (limit: RemoteLimit) => {
      reported.push(limit);
      return says ?? limit.until;
    },
  });
  const remote = { url: 'https://github.example/acme/docs.git', token: 'ghs_1' };
  const failure = { git, remote, service: 'git-upload-pack', cause: undefined, action: 'fetch', signal } as const;
  return { reported, failure: await explainRemoteFailure(failure) };
}

test.each([
  ['a pause in seconds is used', '120', 120, true],
  ['a missing pause is an unstated minute', undefined, 60, false],
  ['a pause that is not a number is ignored', 'Wed, 21 Oct 2026 07:28:00 GMT', 60, false],
  ['a negative pause is ignored', '-5', 60, false],
  ['a pause is at most a day', '1e300', 24 * 3600, true],
])('promise 21: git reports a rate limit with its token: %s', async (_name, retryAfter, seconds, isStated) => {
  const before = Date.now();
  const { reported, failure } = await meetLimit(retryAfter === undefined ? {} : { retryAfter });
  expect(reported).toEqual([{ token: 'ghs_1', until: expect.any(Date), isStated }]);
  expect(Math.round((Number(reported[0]?.until) - before) / 1000)).toBeCloseTo(seconds, -1);
  expect(failure).toBeInstanceOf(Parked);
  expect(failure).toMatchObject({ until: reported[0]?.until });
});

test('promise 21: onLimited decides when the run continues', async () => {
  const says = new Date(Date.now() + 3600_000);
  expect((await meetLimit({ retryAfter: '5', says })).failure).toMatchObject({ name: 'Parked', until: says });
});

test.each([
  [
    'an IP allow list',
    'remote: The organization has an IP allow list enabled,\nand your IP address is not permitted.\n',
    'GitRefusal',
  ],
  ['anything else', 'Write access to repository not granted.', 'Error'],
])('a 403 of git brings the server’s words: %s', async (_name, words, name) => {
  nock('https://github.example')
    .get('/acme/docs.git/info/refs?service=git-upload-pack')
    .reply(403, words, { 'content-type': 'text/plain; charset=utf-8' });
  const remote = { url: 'https://github.example/acme/docs.git', token: 'ghs_1' };
  const git = createGit({ allowHttp: false });
  const failure = { git, remote, service: 'git-upload-pack', cause: undefined, action: 'fetch', signal } as const;
  const error = await explainRemoteFailure(failure);
  expect([error.name, error.message]).toEqual([name, expect.stringContaining(words.trim().replace('\n', ' '))]);
});
