import { expect, test } from 'vitest';
import { createFixture, docs } from './github-fixture.ts';

const pull = { ...docs, pull_number: 1, issue_number: 1 };

test.each([
  ['GET /repos/{owner}/{repo}/contents/{path}', { path: 'README.md' }, { issues: 'read' }, 'contents=read'],
  ['GET /repos/{owner}/{repo}/branches/{branch}', { branch: 'main' }, { issues: 'read' }, 'contents=read'],
  ['GET /repos/{owner}/{repo}/git/ref/{ref}', { ref: 'heads/main' }, { issues: 'read' }, 'contents=read'],
  ['GET /repos/{owner}/{repo}/commits/{ref}', { ref: 'main' }, { issues: 'read' }, 'contents=read'],
  [
    'POST /repos/{owner}/{repo}/git/refs',
    { ref: 'refs/heads/x', sha: '0' },
    { contents: 'read' },
    'contents=write; contents=write,workflows=write',
  ],
  ['GET /repos/{owner}/{repo}/pulls', {}, { contents: 'write' }, 'pull_requests=read'],
  ['GET /repos/{owner}/{repo}/pulls/{pull_number}', {}, { issues: 'write' }, 'pull_requests=read; contents=read'],
  ['GET /repos/{owner}/{repo}/pulls/{pull_number}/files', {}, { contents: 'write' }, 'pull_requests=read'],
  [
    'POST /repos/{owner}/{repo}/pulls',
    { title: 'a', head: 'b', base: 'main' },
    { pull_requests: 'read' },
    'pull_requests=write',
  ],
  ['PATCH /repos/{owner}/{repo}/pulls/{pull_number}', { title: 'a' }, { pull_requests: 'read' }, 'pull_requests=write'],
  ['GET /repos/{owner}/{repo}/issues/{issue_number}', {}, { pull_requests: 'write' }, 'issues=read'],
  [
    'POST /repos/{owner}/{repo}/issues/{issue_number}/comments',
    { body: 'hi' },
    { contents: 'write', issues: 'read', pull_requests: 'read' },
    'issues=write; pull_requests=write',
  ],
  [
    'POST /repos/{owner}/{repo}/issues/{issue_number}/labels',
    { labels: ['docs'] },
    { contents: 'write' },
    'issues=write; pull_requests=write',
  ],
  [
    'POST /repos/{owner}/{repo}/issues/comments/{comment_id}/reactions',
    { comment_id: 1, content: 'eyes' },
    { pull_requests: 'write' },
    'issues=write',
  ],
  [
    'POST /repos/{owner}/{repo}/pulls/{pull_number}/requested_reviewers',
    { reviewers: ['mona'] },
    { issues: 'write' },
    'pull_requests=write',
  ],
])('%s is refused without its permission, which the answer names', async (route, parameters, permissions, accepted) => {
  await using fixture = await createFixture();
  const { token } = await fixture.mint({ permissions });
  await expect(fixture.withToken(token).request(route, { ...pull, ...parameters })).rejects.toMatchObject({
    status: 403,
    message: expect.stringContaining('Resource not accessible by integration'),
    response: { headers: { 'x-accepted-github-permissions': accepted } },
  });
});

test('an invisible repository does not exist for the caller', async () => {
  await using fixture = await createFixture();
  const { apiUrl } = fixture.github;
  const { status } = await fetch(`${apiUrl}/repos/acme/docs`);
  expect(status).toBe(404);
  const bad = await fetch(`${apiUrl}/repos/acme/docs`, { headers: { authorization: 'Bearer ghs_nothing' } });
  expect([bad.status, await bad.json()]).toMatchObject([401, { message: 'Bad credentials' }]);
});
