import { expect, test } from 'vitest';
import { convertManifest } from '../../src/github/auth/convert-manifest.ts';
import type { Transport } from '../../src/github/client/transport.ts';
import { createApp } from '../github/create-app.ts';
import { createClient } from '../github/create-client.ts';
import { createInspector } from './create-inspector.ts';
import { createSample, type SampleOptions, sampleOptions } from './create-sample.ts';
import { readDescription } from './read-description.ts';

const description = readDescription();
const inspector = createInspector(description);
const { signal } = new AbortController();
const sha = 'a'.repeat(40);
const since = new Date(0);

/** Answers each request as GitHub describes it, and keeps what is wrong with the request. */
function createDescribedGitHub(options: SampleOptions) {
  const problems: string[] = [];
  const operations: string[] = [];
  const transport: Transport = {
    apiUrl: 'https://api.github.com',
    retryDelaysMs: [0, 0],
    settleDelaysMs: [],
    async fetch(input, init) {
      const url = new URL(String(input));
      const [method, path] = [init?.method ?? 'GET', decodeURIComponent(url.pathname)];
      const operation = description.findOperation(method, path);
      if (!operation) throw new Error(`${method} ${path} is not described`);
      operations.push(operation.operationId);
      const { status, schema } = operation.success;
      const answer = schema === null ? undefined : createSample(description, schema, options);
      const body = typeof init?.body === 'string' ? JSON.parse(init.body) : undefined;
      const query = Object.fromEntries(url.searchParams);
      problems.push(...inspector.inspectExchange({ method, path, query, body, status, answer }));
      const headers = { 'content-type': 'application/json; charset=utf-8' };
      const response = new Response(answer === undefined ? null : JSON.stringify(answer), { status, headers });
      return Object.defineProperty(response, 'url', { value: url.href });
    },
  };
  return { transport, problems, operations };
}

const content = { title: 'Correct the limit', head: 'pagewright/x', base: 'main', body: 'Says 100.', draft: true };
const check = {
  conclusion: 'neutral' as const,
  output: {
    title: 'One problem',
    summary: 'One problem.',
    annotations: [{ path: 'a.md', line: 3, level: 'warning' as const, title: 'link', message: 'It is broken.' }],
  },
};
const people = { users: ['rita'], teams: ['writers'] };
const app = (transport: Transport) => createApp(transport);
const client = (transport: Transport) => createClient(transport);

test.each<[operationId: string, call: (transport: Transport) => Promise<unknown>]>([
  ['apps/get-authenticated', (github) => app(github).fetchApp(signal)],
  ['apps/create-from-manifest', (transport) => convertManifest({ transport, code: 'c0de', signal })],
  ['apps/get-repo-installation', (github) => app(github).findInstallationOf({ owner: 'acme', repo: 'docs' }, signal)],
  ['apps/get-installation', (github) => app(github).fetchInstallation(9, signal)],
  ['apps/list-installations', (github) => app(github).listInstallations(signal)],
  ['apps/list-repos-accessible-to-installation', (github) => app(github).listRepositories(9, signal)],
  [
    'apps/create-installation-access-token',
    (github) =>
      app(github).mintToken({ installationId: 9, repositoryId: 1, permissions: { contents: 'write' }, signal }),
  ],
  ['apps/revoke-installation-access-token', (github) => app(github).revokeToken('ghs_5_a.b.c')],
  ['apps/list-webhook-deliveries', (github) => Array.fromAsync(app(github).listDeliveries({ since, signal }))],
  ['apps/redeliver-webhook-delivery', (github) => app(github).redeliver('7', signal)],
  ['users/get-by-username', (github) => app(github).fetchBot({ token: 'ghs_5_a.b.c', signal })],
  ['repos/get', (github) => client(github).fetchRepository()],
  ['repos/get-content', (github) => client(github).fetchFile('.github/pagewright.yml')],
  ['repos/get-branch-rules', (github) => client(github).listBranchRules('pagewright/x')],
  ['repos/get-repo-ruleset', (github) => client(github).canBypassRuleset(3)],
  ['repos/get-collaborator-permission-level', (github) => client(github).fetchRole({ login: 'rita', userId: 1 })],
  ['git/create-ref', (github) => client(github).createBranch('pagewright/x', sha)],
  ['issues/get', (github) => client(github).fetchCloser(7)],
  ['issues/list-comments', (github) => client(github).findCommentsByMarker(7, 'text', { since })],
  ['issues/create-comment', (github) => client(github).createComment(7, 'Done.')],
  ['issues/delete-comment', (github) => client(github).deleteComment(8)],
  ['issues/add-labels', (github) => client(github).addLabels(7, ['docs'])],
  ['pulls/list', (github) => client(github).findPullRequest({ branch: 'pagewright/x' })],
  ['pulls/list', (github) => client(github).listOpenPullRequests({ etag: 'W/"1"' })],
  ['pulls/get', (github) => client(github).fetchPullRequest(7)],
  ['pulls/get', (github) => client(github).fetchPullRequestTips(7)],
  ['pulls/list-files', (github) => client(github).listPullRequestFiles(7)],
  ['git/get-ref', (github) => client(github).findBranchTip('main')],
  ['pulls/create', (github) => client(github).createPullRequest(content)],
  ['pulls/update', (github) => client(github).updatePullRequest(7, { title: 'Other', body: 'Other', state: 'open' })],
  ['pulls/request-reviewers', (github) => client(github).requestReviewers(7, people)],
  ['pulls/get-review', (github) => client(github).fetchReview(7, 3)],
  ['pulls/list-comments-for-review', (github) => client(github).listReviewComments(7, 3)],
  ['pulls/list-review-comments', (github) => client(github).findRepliesByMarker(7, 'text', { since })],
  ['pulls/get-review-comment', (github) => client(github).fetchReviewComment(8)],
  ['pulls/create-reply-for-review-comment', (github) => client(github).replyToReviewComment(7, 8, 'Done.')],
  ['pulls/delete-review-comment', (github) => client(github).deleteReviewComment(8)],
  ['checks/list-for-ref', (github) => client(github).listCheckRuns(sha)],
  [
    'checks/list-for-ref',
    (github) => client(github).findOwnCheckRun(sha, { name: 'Pagewright docs', externalId: '7:1' }),
  ],
  ['repos/get-combined-status-for-ref', (github) => client(github).listStatuses(sha)],
  ['checks/list-annotations', (github) => client(github).listAnnotations(8)],
  ['checks/create', (github) => client(github).createCheckRun({ ...check, sha, externalId: '7:1', name: 'x' })],
  ['checks/update', (github) => client(github).updateCheckRun(8, check)],
  ['reactions/create-for-issue-comment', (github) => client(github).addReaction({ on: 'comment', commentId: 8 })],
  [
    'reactions/create-for-pull-request-review-comment',
    (github) => client(github).addReaction({ on: 'review_comment', commentId: 8 }),
  ],
])('%s: the request is as GitHub describes it, and an answer with nulls is read', async (operationId, call) => {
  for (const options of sampleOptions) {
    const { transport, problems, operations } = createDescribedGitHub(options);
    await call(transport);
    expect(problems, JSON.stringify(options)).toEqual([]);
    expect(operations).toContain(operationId);
  }
});
