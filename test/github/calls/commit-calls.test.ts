import nock from 'nock';
import { describe, expect, test } from 'vitest';
import { Parked } from '../../../src/errors.ts';
import { AmbiguousWrite } from '../../../src/github/refusals/errors.ts';
import { createClient } from '../create-client.ts';

const github = () => nock('https://api.github.com');
const docs = '/repos/acme/docs';
const head = 'a'.repeat(40);
const tip = (sha: string) => ({ ref: 'refs/heads/pagewright/x', object: { type: 'commit', sha } });
const tipPath = `${docs}/git/ref/heads%2Fpagewright%2Fx`;

describe('createBranch', () => {
  const create = () => createClient().createBranch('pagewright/x', head);

  test('creates a branch at a commit', async () => {
    github().post(`${docs}/git/refs`, { ref: 'refs/heads/pagewright/x', sha: head }).reply(201, tip(head));
    expect(await create()).toBe('created');
  });

  test('returns exists for an existing branch, whatever GitHub’s message', async () => {
    github().post(`${docs}/git/refs`).reply(422, { message: 'no' });
    github()
      .get(tipPath)
      .reply(200, tip('b'.repeat(40)));
    expect(await create()).toBe('exists');
  });

  test('throws a refusal for another reason', async () => {
    github().post(`${docs}/git/refs`).reply(422, { message: 'Object does not exist' });
    github().get(tipPath).reply(404, { message: 'Not Found' });
    await expect(create()).rejects.toMatchObject({
      reason: 'refused',
      message: 'GitHub refused to create branch pagewright/x in acme/docs: Object does not exist.',
    });
  });
});

describe('createSignedCommit', () => {
  const change = {
    branch: 'pagewright/x',
    expectedHead: head,
    headline: 'Explain tokens',
    body: 'They live an hour.',
    additions: [{ path: 'docs/tokens.md', content: new TextEncoder().encode('# Tökens\n') }],
    deletions: ['docs/old.md'],
  };
  const commit = (client = createClient()) => client.createSignedCommit(change);
  const made = { data: { createCommitOnBranch: { commit: { oid: 'c'.repeat(40) } } } };
  const refusal = (type: string, message = 'no') => ({
    data: { createCommitOnBranch: null },
    errors: [{ type, path: ['createCommitOnBranch'], message }],
  });

  test('sends the change and its parent, and returns the commit', async () => {
    const variables = {
      input: {
        branch: { repositoryNameWithOwner: 'acme/docs', branchName: 'pagewright/x' },
        expectedHeadOid: head,
        message: { headline: 'Explain tokens', body: 'They live an hour.' },
        fileChanges: {
          additions: [{ path: 'docs/tokens.md', contents: Buffer.from('# Tökens\n').toString('base64') }],
          deletions: [{ path: 'docs/old.md' }],
        },
      },
    };
    github()
      .post('/graphql', { query: /createCommitOnBranch\(input: \$input\)/, variables })
      .reply(200, made);
    expect(await commit()).toEqual({ kind: 'made', sha: 'c'.repeat(40) });
  });

  test('goes to the GraphQL API of the configured server', async () => {
    nock('https://ghe.example').post('/api/graphql').reply(200, made);
    expect(await commit(createClient({ apiUrl: 'https://ghe.example/api/v3' }))).toMatchObject({ kind: 'made' });
    nock('https://ghe.example').post('/api/graphql').reply(200, refusal('STALE_DATA'));
    expect(await commit(createClient({ apiUrl: 'https://ghe.example/api/v3' }))).toEqual({ kind: 'moved' });
  });

  test('returns moved when the branch has moved', async () => {
    const message = 'Expected branch to point to "aaa" but it did not.  Pull and try again.';
    github().post('/graphql').reply(200, refusal('STALE_DATA', message));
    expect(await commit()).toEqual({ kind: 'moved' });
  });

  test.each([
    ['has moved', 200, tip('b'.repeat(40))],
    ['is gone', 404, { message: 'Not Found' }],
  ])('reads the branch after an unprocessable change, and returns moved when it %s', async (_name, status, body) => {
    github().post('/graphql').reply(200, refusal('UNPROCESSABLE'));
    github().get(tipPath).reply(status, body);
    expect(await commit()).toEqual({ kind: 'moved' });
  });

  test('throws a refusal when the change does not apply to an unmoved branch', async () => {
    github()
      .post('/graphql')
      .reply(200, refusal('UNPROCESSABLE', 'A path was requested for deletion which does not exist.'));
    github().get(tipPath).reply(200, tip(head));
    await expect(commit()).rejects.toMatchObject({
      reason: 'refused',
      message:
        'GitHub refused to commit to pagewright/x in acme/docs: A path was requested for deletion which does not exist.',
    });
  });

  test.each([
    ['FORBIDDEN', 'refused', 'Resource not accessible by integration'],
    ['NOT_FOUND', 'not_found', 'commit to pagewright/x in acme/docs'],
  ])('throws a refusal for %s', async (type, reason, words) => {
    github().post('/graphql').reply(200, refusal(type, 'Resource not accessible by integration'));
    await expect(commit()).rejects.toMatchObject({
      name: 'GitHubRefusal',
      reason,
      message: expect.stringContaining(words),
    });
  });

  test('throws a refusal for an invalid query', async () => {
    const errors = [{ message: 'Variable $input was provided invalid value', extensions: { problems: [] } }];
    github().post('/graphql').reply(200, { errors });
    await expect(commit()).rejects.toMatchObject({ reason: 'refused' });
  });

  test.each([
    ['the primary limit', { errors: [{ type: 'RATE_LIMITED', message: 'API rate limit exceeded' }] }],
    ['a secondary limit', { data: null, errors: [{ message: 'You have exceeded a secondary rate limit.' }] }],
  ])('parks the run and blocks the installation at %s', async (_name, body) => {
    const blocked: Date[] = [];
    const reset = Math.floor(Date.now() / 1000) + 600;
    const headers = { 'x-ratelimit-remaining': '0', 'x-ratelimit-reset': String(reset) };
    github().post('/graphql').reply(200, body, headers);
    const client = createClient({ onLimited: (_installationId, { until }) => void blocked.push(until) });
    await expect(commit(client)).rejects.toBeInstanceOf(Parked);
    expect(blocked[0]?.getTime()).toBeGreaterThan(Date.now() + 500_000);
  });

  test.each([
    [
      'an error of GitHub’s own',
      { data: null, errors: [{ message: 'Something went wrong while executing your query.' }] },
    ],
    ['an error of an unknown type', refusal('OF_TOMORROW')],
    ['an error beside a refusal', { data: null, errors: [{ type: 'STALE_DATA' }, { message: 'and more' }] }],
    ['an error with a commit', { ...made, errors: [{ type: 'FORBIDDEN', message: 'no' }] }],
    ['an empty list of errors', { ...made, errors: [] }],
    ['no commit', { data: { createCommitOnBranch: null } }],
    ['no data', {}],
  ])('is ambiguous after an answer with %s', async (_name, body) => {
    github().post('/graphql').reply(200, body);
    await expect(commit()).rejects.toBeInstanceOf(AmbiguousWrite);
  });
});
