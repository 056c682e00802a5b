import nock from 'nock';
import { expect, test } from 'vitest';
import { Parked } from '../../src/errors.ts';
import { createGit, type RemoteLimit } from '../../src/git/git.ts';
import { explainRemoteFailure } from '../../src/git/remote.ts';

const { signal } = new AbortController();

/** What comes of a fetch that failed, when the server answers 429; `told` is what git was told of it. */
async function meetLimit({ retryAfter, says }: { retryAfter?: string; says?: Date }) {
  nock('https://github.example')
    .get('/acme/docs.git/info/refs?service=git-upload-pack')
    .reply(429, '', retryAfter === undefined ? {} : { 'retry-after': retryAfter });
  const told: RemoteLimit[] = [];
  const git = Object.assign(createGit({ allowHttp: false }), {
    onLimited: async (limit: RemoteLimit) => {
      told.push(limit);
      return says ?? limit.until;
    },
  });
  const remote = { url: 'https://github.example/acme/docs.git', token: 'ghs_1' };
  const given = { git, remote, service: 'git-upload-pack', cause: undefined, action: 'fetch', signal } as const;
  return { told, failure: await explainRemoteFailure(given) };
}

test.each([
  ['a pause in seconds is taken as it is', '120', 120, true],
  ['none is a minute, which nobody stated', undefined, 60, false],
  ['one that is no number is none', 'Wed, 21 Oct 2026 07:28:00 GMT', 60, false],
  ['one that is past is none', '-5', 60, false],
  ['no pause is longer than a day', '1e300', 24 * 3600, true],
])('promise 21: a limit that git meets is told for its token: %s', async (_name, retryAfter, seconds, isStated) => {
  const before = Date.now();
  const { told, failure } = await meetLimit(retryAfter === undefined ? {} : { retryAfter });
  expect(told).toEqual([{ token: 'ghs_1', until: expect.any(Date), isStated }]);
  expect(Math.round((Number(told[0]?.until) - before) / 1000)).toBeCloseTo(seconds, -1);
  expect(failure).toBeInstanceOf(Parked);
  expect(failure).toMatchObject({ until: told[0]?.until });
});

test('promise 21: who is told of a limit says when the run comes again', async () => {
  const says = new Date(Date.now() + 3600_000);
  expect((await meetLimit({ retryAfter: '5', says })).failure).toMatchObject({ name: 'Parked', until: says });
});
