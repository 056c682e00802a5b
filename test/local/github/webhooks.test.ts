import { expect, test } from 'vitest';
import { createFixture, createReceiver } from './github-fixture.ts';

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

test('a failed delivery is listed, not retried, and redelivered on request', async () => {
  await using broken = await createReceiver(500);
  await using receiver = await createReceiver();
  await using fixture = await createFixture();
  const { github, asApp } = fixture;
  await fixture.openPullRequest();
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
