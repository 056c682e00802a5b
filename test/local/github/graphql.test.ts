import { expect, test } from 'vitest';
import { z } from 'zod';
import { createFixture, docs, type Fixture } from './github-fixture.ts';

const mutation = `
mutation Commit($input: CreateCommitOnBranchInput!) {
  made: createCommitOnBranch(input: $input) {
    # what was made
    commit { oid, url, signature { isValid state } }
    ref { name target { oid } }
  }
}`;

const base64 = (text: string) => Buffer.from(text).toString('base64');

async function open(fixture: Fixture) {
  const head = await fixture.github.asPerson('mona').pushCommit('acme/docs', 'work', { 'old.md': 'old' }, 'Start');
  await fixture.asInstallation.rest.pulls.create({ ...docs, title: 'Work', head: 'work', base: 'main' });
  return head;
}

const inputOf = (expectedHeadOid: string, more: object = {}) => ({
  branch: { repositoryNameWithOwner: 'acme/docs', branchName: 'work' },
  expectedHeadOid,
  message: { headline: 'Explain limits', body: 'Because.' },
  fileChanges: {
    additions: [{ path: 'guide/limits.md', contents: base64('Zehn je Minute – höchstens.\n') }],
    deletions: [{ path: 'old.md' }],
  },
  ...more,
});

const answerShape = z.object({
  data: z.record(z.string(), z.unknown()).optional(),
  errors: z.array(z.unknown()).optional(),
});

/** The answer as it is, also when it tells of errors. */
async function post(fixture: Fixture, body: unknown, permissions: Record<string, string> = { contents: 'write' }) {
  const { token } = await fixture.mint({ permissions });
  const answer = await fetch(`${fixture.github.webUrl}/api/graphql`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'user-agent': 'test' },
    body: JSON.stringify(body),
  });
  return { status: answer.status, body: answerShape.parse(await answer.json()) };
}

test('a GraphQL commit is real, signed, by the bot, and updates the pull request', async () => {
  await using fixture = await createFixture();
  const { asInstallation, github, repository } = fixture;
  const head = await open(fixture);
  github.setRules('acme/docs', 'work', [{ type: 'required_signatures' }]);
  const { made } = await asInstallation.graphql<{ made: { commit: { oid: string } } }>(mutation, {
    input: inputOf(head),
  });
  const { oid } = made.commit;
  expect(made).toEqual({
    commit: {
      oid,
      url: `${repository.cloneUrl.replace('.git', '')}/commit/${oid}`,
      signature: { isValid: true, state: 'VALID' },
    },
    ref: { name: 'work', target: { oid } },
  });
  const { data: commit } = await asInstallation.rest.repos.getCommit({ ...docs, ref: oid });
  expect(commit).toMatchObject({
    author: { login: 'pagewright[bot]', type: 'Bot' },
    parents: [{ sha: head }],
    commit: {
      message: 'Explain limits\n\nBecause.',
      author: { name: 'pagewright[bot]', email: expect.stringContaining('pagewright[bot]@users.noreply.github.com') },
      committer: { name: 'GitHub', email: 'noreply@github.com' },
      verification: { verified: true, reason: 'valid' },
    },
  });
  const { data: before } = await asInstallation.rest.git.getCommit({ ...docs, commit_sha: head });
  expect(before.verification).toMatchObject({ verified: false, reason: 'unsigned' });
  const { git } = await fixture.clone();
  expect(await git('ls-tree', '-r', 'origin/work')).toMatch(
    /^100644 blob \w+\tREADME\.md\n100644 blob \w+\tguide\/limits\.md/,
  );
  expect(await git('show', 'origin/work:guide/limits.md')).toContain('höchstens');
  expect((await asInstallation.rest.pulls.get({ ...docs, pull_number: 1 })).data.head.sha).toBe(oid);
  const last = github.deliveries.log.slice(-2);
  expect(last.map(({ event, action }) => [event, action])).toEqual([
    ['push', null],
    ['pull_request', 'synchronize'],
  ]);
  expect(last[1]?.payload).toMatchObject({ before: head, after: oid, sender: { login: 'pagewright[bot]' } });
});

test('of two commits on one tip, the second gets a stale tip error', async () => {
  await using fixture = await createFixture();
  const head = await open(fixture);
  const commit = () => post(fixture, { query: mutation, variables: { input: inputOf(head) } });
  const answers = await Promise.all([commit(), commit()]);
  expect(answers.filter(({ body }) => body.data?.made !== null)).toHaveLength(1);
  expect(answers.find(({ body }) => body.data?.made === null)).toEqual({
    status: 200,
    body: {
      data: { made: null },
      errors: [
        {
          type: 'STALE_DATA',
          path: ['made'],
          locations: [{ line: 3, column: 3 }],
          message: `Expected branch to point to "${head}" but it did not.  Pull and try again.`,
        },
      ],
    },
  });
});

test.each([
  ['without permission', {}, { issues: 'write' }, 'FORBIDDEN', /Resource not accessible by integration/],
  [
    'in a repository out of reach',
    { branch: { repositoryNameWithOwner: 'acme/blog', branchName: 'work' } },
    undefined,
    'NOT_FOUND',
    /acme\/blog/,
  ],
  [
    'on no branch',
    { branch: { repositoryNameWithOwner: 'acme/docs', branchName: 'new' } },
    undefined,
    'NOT_FOUND',
    /branch named 'new'/,
  ],
  [
    'that deletes nothing',
    { fileChanges: { deletions: [{ path: 'none.md' }] } },
    undefined,
    'UNPROCESSABLE',
    /none\.md/,
  ],
  [
    'outside of the repository',
    { fileChanges: { additions: [{ path: '../x', contents: '' }] } },
    undefined,
    'UNPROCESSABLE',
    /not valid/,
  ],
  [
    'of a workflow',
    { fileChanges: { additions: [{ path: '.github/workflows/ci.yml', contents: '' }] } },
    undefined,
    'FORBIDDEN',
    /without `workflows` permission/,
  ],
  [
    'against a rule',
    { message: { headline: 'bad' } },
    undefined,
    'UNPROCESSABLE',
    /Repository rule violations found[\s\S]*Commit message/,
  ],
])('a commit %s is refused and the branch stays', async (_name, more, permissions, type, message) => {
  await using fixture = await createFixture();
  const { asInstallation, github } = fixture;
  const head = await open(fixture);
  const parameters = { operator: 'starts_with', pattern: 'Explain' };
  github.setRules('acme/docs', 'work', [{ type: 'commit_message_pattern', parameters }]);
  const { status, body } = await post(
    fixture,
    { query: mutation, variables: { input: inputOf(head, more) } },
    permissions,
  );
  expect([status, body.data]).toEqual([200, { made: null }]);
  expect(body.errors).toEqual([
    expect.objectContaining({ type, path: ['made'], message: expect.stringMatching(message) }),
  ]);
  expect((await asInstallation.rest.git.getRef({ ...docs, ref: 'heads/work' })).data.object.sha).toBe(head);
});

test.each([
  ['another query', '{ viewer { login } }', {}, /Field 'viewer' doesn't exist on type 'Query'/],
  [
    'another mutation',
    'mutation { mergePullRequest(input: {}) { x } }',
    {},
    /'mergePullRequest' doesn't exist on type 'Mutation'/,
  ],
  [
    'a field that is not there',
    'mutation { createCommitOnBranch(input: {}) { nothing } }',
    {},
    /Field 'nothing' doesn't exist/,
  ],
  ['no selection', 'mutation { createCommitOnBranch(input: {}) }', {}, /must have selections/],
  ['bad syntax', 'mutation {', {}, /Unexpected end of document at \[1, 11\]/],
  ['a bad character', 'query { % }', {}, /Unexpected character "%"/],
  [
    'a missing tip',
    mutation,
    { input: inputOf('', { expectedHeadOid: undefined }) },
    /invalid value for expectedHeadOid/,
  ],
])('%s is answered with a GraphQL error and nothing is done', async (_name, query, variables, message) => {
  await using fixture = await createFixture();
  await open(fixture);
  const count = fixture.github.deliveries.log.length;
  const { status, body } = await post(fixture, { query, variables });
  expect(status).toBe(200);
  expect(body).toEqual({ errors: [expect.objectContaining({ message: expect.stringMatching(message) })] });
  expect(fixture.github.deliveries.log).toHaveLength(count);
});

test('GraphQL takes literals, and requires credentials', async () => {
  await using fixture = await createFixture();
  const head = await open(fixture);
  const query = `mutation { createCommitOnBranch(input: { branch: { repositoryNameWithOwner: "acme/docs", branchName: "refs/heads/work" },
    expectedHeadOid: "${head}", message: { headline: "Say \\"no\\"" }, fileChanges: { deletions: [{ path: "old.md" }] } }) {
    __typename commit { messageHeadline } } }`;
  expect((await post(fixture, { query })).body).toEqual({
    data: {
      createCommitOnBranch: { __typename: 'CreateCommitOnBranchPayload', commit: { messageHeadline: 'Say "no"' } },
    },
  });
  const answer = await fetch(`${fixture.github.webUrl}/api/graphql`, {
    method: 'POST',
    body: JSON.stringify({ query }),
  });
  expect(answer.status).toBe(401);
});

const convert = `
mutation Convert($input: ConvertPullRequestToDraftInput!) {
  convertPullRequestToDraft(input: $input) { pullRequest { isDraft number } }
}`;

test('an App that writes pull requests and contents converts a pull request to a draft', async () => {
  await using fixture = await createFixture();
  await open(fixture);
  const { data: pullRequest } = await fixture.asInstallation.rest.pulls.get({ ...docs, pull_number: 1 });
  const query = { query: convert, variables: { input: { pullRequestId: pullRequest.node_id } } };
  const refused = await post(fixture, query, { pull_requests: 'write' });
  expect(refused.body.errors).toEqual([expect.objectContaining({ type: 'FORBIDDEN' })]);
  const { body } = await post(fixture, query, { pull_requests: 'write', contents: 'write' });
  expect(body).toEqual({ data: { convertPullRequestToDraft: { pullRequest: { isDraft: true, number: 1 } } } });
  const { data: now } = await fixture.asInstallation.rest.pulls.get({ ...docs, pull_number: 1 });
  expect(now.draft).toBe(true);
  const unknown = { query: convert, variables: { input: { pullRequestId: 'PR_none' } } };
  const missed = await post(fixture, unknown, { pull_requests: 'write', contents: 'write' });
  expect(missed.body.errors).toEqual([expect.objectContaining({ type: 'NOT_FOUND' })]);
});
