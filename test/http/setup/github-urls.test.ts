import { expect, test } from 'vitest';
import { formatInstallUrl, formatRegistrationUrl } from '../../../src/http/setup/registration.ts';

test.each([
  ['https://github.com', 'https://github.com/apps/acme-docs/installations/new'],
  ['https://acme.ghe.com', 'https://acme.ghe.com/apps/acme-docs/installations/new'],
  ['https://git.acme.test', 'https://git.acme.test/github-apps/acme-docs/installations/new'],
  ['https://notgithub.com', 'https://notgithub.com/github-apps/acme-docs/installations/new'],
])('an App of %s is installed at %s', (webUrl, url) => {
  expect(formatInstallUrl({ webUrl, slug: 'acme-docs' })).toBe(url);
});

test.each([
  [null, 'https://github.com/settings/apps/new?state=a%26b'],
  ['acme', 'https://github.com/organizations/acme/settings/apps/new?state=a%26b'],
  ['a/b', 'https://github.com/organizations/a%2Fb/settings/apps/new?state=a%26b'],
])('an App of %s is registered at %s', (organization, url) => {
  expect(formatRegistrationUrl({ webUrl: 'https://github.com', organization, state: 'a&b' })).toBe(url);
});
