import { expect, inject, test } from 'vitest';
import { appManifest } from '../../../src/config/app-manifest.ts';
import { createGitHubApp } from '../../../src/github/auth/app.ts';
import { neededPermissions } from '../../../src/github/auth/describe-installations.ts';
import { app, createFixture } from '../../local/github/github-fixture.ts';

const { signal } = new AbortController();

test('each installation is told with what it lacks and with its page on GitHub', async () => {
  await using fixture = await createFixture({
    app: { ...app, events: appManifest.default_events.filter((event) => event !== 'repository') },
  });
  const { github, installationId } = fixture;
  github.addUser('rita');
  const suspendedId = github.install({
    account: 'rita',
    repositories: 'all',
    permissions: { metadata: 'read', contents: 'read' },
  });
  github.suspend(suspendedId);
  const { apiUrl, webUrl } = github;
  const client = createGitHubApp({ appId: String(app.id), privateKey: inject('privateKey'), apiUrl, webUrl });
  const described = await client.describeInstallations(signal);
  const events = ['repository'];
  expect(described).toEqual({
    app: {
      missing: { permissions: [], events },
      url: expect.stringMatching(/\/settings\/apps\/pagewright\/permissions$/),
    },
    installations: [
      {
        account: 'acme',
        url: `${webUrl}/organizations/acme/settings/installations/${installationId}`,
        isSuspended: false,
        missing: { permissions: [], events },
      },
      {
        account: 'rita',
        url: `${webUrl}/settings/installations/${suspendedId}`,
        isSuspended: true,
        missing: { permissions: neededPermissions.split(',').filter((need) => need !== 'metadata=read'), events },
      },
    ],
  });
});
