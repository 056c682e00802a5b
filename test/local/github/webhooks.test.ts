import { Webhooks } from '@octokit/webhooks';
import { expect, test } from 'vitest';
import { app, createFixture, createReceiver, docs, type Fixture } from './github-fixture.ts';

const openPullRequest = async (fixture: Fixture) => {
  await fixture.github.asPerson('mona').pushCommit('acme/docs', 'work', { 'work.md': 'one\n' }, 'Write');
  await fixture.asInstallation.rest.pulls.create({ ...docs, title: 'Work', head: 'work', base: 'main' });
};

test("every delivery is signed and has GitHub's headers, and Octokit accepts it", async () => {
  await using receiver = await createReceiver();
  await using fixture = await createFixture({ app: { ...app, webhookUrl: receiver.url } });
  await openPullRequest(fixture);
  fixture.github.asPerson('mona').comment('acme/docs', 1, 'Hëllo');
  await fixture.github.deliveries.settled();
  expect(receiver.events()).toEqual([
    'installation.created',
    'create',
    'push',
    'pull_request.opened',
    'issue_comment.created',
  ]);
  const webhooks = new Webhooks({ secret: app.webhookSecret });
  for (const { headers, body } of receiver.received) {
    expect(await webhooks.verify(body, String(headers['x-hub-signature-256']))).toBe(true);
    expect(headers['x-github-delivery']).toMatch(/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/);
    expect(headers).toMatchObject({
      'content-type': 'application/json',
      'x-github-hook-installation-target-id': '4711',
      'x-github-hook-installation-target-type': 'integration',
    });
    expect(JSON.parse(body)).toMatchObject({ installation: { id: fixture.installationId } });
  }
  expect(new Set(receiver.received.map(({ headers }) => headers['x-github-delivery'])).size).toBe(5);
});

test('a comment event shows the pull request as an issue, and the author', async () => {
  await using fixture = await createFixture();
  await openPullRequest(fixture);
  await fixture.asInstallation.rest.issues.createComment({ ...docs, issue_number: 1, body: 'Hi' });
  expect(fixture.github.deliveries.log.at(-1)?.payload).toMatchObject({
    action: 'created',
    issue: { number: 1, state: 'open', pull_request: { url: expect.stringContaining('/pulls/1') } },
    comment: { body: 'Hi', user: { type: 'Bot' }, performed_via_github_app: { id: 4711 } },
    repository: { full_name: 'acme/docs', default_branch: 'main' },
    organization: { login: 'acme' },
    sender: { login: 'pagewright[bot]', type: 'Bot' },
  });
});

test.each([
  [
    'edited',
    (fixture: Fixture) => fixture.github.asPerson('mona').editPullRequest('acme/docs', 1, { title: 'New' }),
    { changes: { title: { from: 'Work' } }, pull_request: { title: 'New' } },
  ],
  [
    'edited',
    async (fixture: Fixture) => {
      await fixture.github.asPerson('mona').forcePush('acme/docs', 'next', 'main');
      await fixture.github.asPerson('mona').editPullRequest('acme/docs', 1, { base: 'next' });
    },
    { changes: { base: { ref: { from: 'main' } } }, pull_request: { base: { ref: 'next' } } },
  ],
  [
    'closed',
    (fixture: Fixture) => fixture.github.asPerson('mona').closePullRequest('acme/docs', 1),
    { pull_request: { state: 'closed', merged: false, merged_by: null } },
  ],
  [
    'closed',
    (fixture: Fixture) => fixture.github.asPerson('mona').deleteBranch('acme/docs', 'work'),
    { pull_request: { state: 'closed', merged: false } },
  ],
  [
    'converted_to_draft',
    (fixture: Fixture) => fixture.github.asPerson('mona').convertToDraft('acme/docs', 1),
    { pull_request: { draft: true } },
  ],
  [
    'labeled',
    (fixture: Fixture) => fixture.asInstallation.rest.issues.addLabels({ ...docs, issue_number: 1, labels: ['a'] }),
    { label: { name: 'a' } },
  ],
])('a pull request that is %s tells what changed', async (action, act, expected) => {
  await using fixture = await createFixture();
  await openPullRequest(fixture);
  await act(fixture);
  const event = fixture.github.deliveries.log.findLast((delivery) => delivery.event === 'pull_request');
  expect(event).toMatchObject({ action, payload: { number: 1, ...expected } });
});

test('a review sends one event, and one for each of its comments', async () => {
  await using fixture = await createFixture();
  await openPullRequest(fixture);
  const comments = [
    { path: 'work.md', line: 1, body: 'Why?' },
    { path: 'work.md', line: null, body: 'Whole file' },
  ];
  const { id } = await fixture.github.asPerson('mona').review('acme/docs', 1, { state: 'APPROVED', comments });
  const [review, first, second] = fixture.github.deliveries.log.slice(-3);
  expect(review).toMatchObject({
    event: 'pull_request_review',
    action: 'submitted',
    payload: { review: { id, state: 'approved', body: null } },
  });
  expect(review?.payload.pull_request).not.toHaveProperty('merged');
  expect(first?.payload).toMatchObject({ comment: { pull_request_review_id: id, line: 1, subject_type: 'line' } });
  expect(second?.payload).toMatchObject({ comment: { line: null, subject_type: 'file' } });
});

test('installations and repositories send events when they change', async () => {
  await using fixture = await createFixture();
  const { github, installationId } = fixture;
  await github.addRepository({ owner: 'acme', name: 'blog', files: { a: 'a' } });
  github.removeFromInstallation(installationId, ['blog']);
  github.addToInstallation(installationId, ['blog']);
  const mona = github.asPerson('mona');
  mona.renameRepository('acme/blog', 'news');
  mona.archiveRepository('acme/news');
  mona.deleteRepository('acme/news');
  github.suspend(installationId);
  github.unsuspend(installationId);
  github.uninstall(installationId);
  expect(github.deliveries.log.map(({ event, action }) => `${event}.${action}`)).toEqual([
    'installation.created',
    'installation_repositories.removed',
    'installation_repositories.added',
    'repository.renamed',
    'repository.archived',
    'repository.deleted',
    'installation.suspend',
    'installation.unsuspend',
    'installation.deleted',
  ]);
});

test('no event of a repository reaches an installation that is suspended, does not cover it or may not read it', async () => {
  await using fixture = await createFixture();
  const { github, installationId } = fixture;
  const mona = github.asPerson('mona');
  const count = () => github.deliveries.log.filter(({ event }) => event === 'push').length;
  const push = (name: string) => mona.pushCommit('acme/docs', name, { [name]: name }, name);
  github.suspend(installationId);
  await push('a');
  github.unsuspend(installationId);
  github.removeFromInstallation(installationId, ['docs']);
  await push('b');
  github.addToInstallation(installationId, ['docs']);
  github.setInstallationPermissions(installationId, { issues: 'write' });
  await push('c');
  expect(count()).toBe(0);
  github.setInstallationPermissions(installationId, { contents: 'read' });
  await push('d');
  expect(count()).toBe(1);
});

test('deliveries are held, reordered and sent twice', async () => {
  await using receiver = await createReceiver();
  await using fixture = await createFixture();
  const { github } = fixture;
  await openPullRequest(fixture);
  github.setWebhook(receiver.url, 'secret');
  github.deliveries.hold();
  github.deliveries.setCopies(2);
  const mona = github.asPerson('mona');
  for (const text of ['one', 'two']) mona.comment('acme/docs', 1, text);
  await github.deliveries.settled();
  expect(receiver.received).toEqual([]);
  github.deliveries.release((held) => held.toReversed());
  await github.deliveries.settled();
  expect(receiver.received.map(({ body }) => JSON.parse(body).comment.body)).toEqual(['two', 'two', 'one', 'one']);
});

test('a failed delivery is listed, not retried, and redelivered on request', async () => {
  await using broken = await createReceiver(500);
  await using receiver = await createReceiver();
  await using fixture = await createFixture();
  const { github, asApp } = fixture;
  await openPullRequest(fixture);
  github.setWebhook(broken.url, 'secret');
  github.asPerson('mona').comment('acme/docs', 1, 'Hello');
  await github.deliveries.settled();
  expect(broken.received).toHaveLength(1);
  const list = async (status: 'success' | 'failure') =>
    (await asApp.request('GET /app/hook/deliveries', { status })).data;
  const [failed] = await list('failure');
  expect(failed).toMatchObject({ event: 'issue_comment', action: 'created', status_code: 500, redelivery: false });
  github.setWebhook(receiver.url, 'secret');
  await asApp.rest.apps.redeliverWebhookDelivery({ delivery_id: Number(failed?.id) });
  await github.deliveries.settled();
  expect(receiver.received[0]?.headers['x-github-delivery']).toBe(failed?.guid);
  expect(await list('success')).toMatchObject([{ guid: failed?.guid, redelivery: true, status_code: 202 }]);
});
