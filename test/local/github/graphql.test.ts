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
