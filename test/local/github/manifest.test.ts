import { expect, test } from 'vitest';
import { parseManifest } from '../../../local/github/apps/parse-manifest.ts';

const manifest = {
  name: 'Acme Docs "Bot"',
  url: 'https://docs.example.com',
  hook_attributes: { url: 'http://127.0.0.1:3000/api/github/webhooks' },
  redirect_url: 'http://127.0.0.1:3000/setup/github/callback?from=1',
  public: true,
  default_permissions: { contents: 'write', pull_requests: 'write', issues: 'write' },
  default_events: ['pull_request', 'issue_comment'],
};

test.each([
  ['without a name', { name: '' }, 'name'],
  ['with a long name', { name: 'x'.repeat(35) }, 'name'],
  ['without a URL', { url: undefined }, 'url'],
  ['with a relative redirect', { redirect_url: '/setup' }, 'redirect_url'],
  ['with a redirect to a script', { redirect_url: 'javascript:alert(1)' }, 'redirect_url'],
  ['with a relative webhook', { hook_attributes: { url: '/hook' } }, 'hook_attributes.url'],
  ['with an unknown permission', { default_permissions: { 'pull-requests': 'write' } }, 'unsupported: pull-requests'],
  ['with an unknown level', { default_permissions: { contents: 'all' } }, 'default_permissions'],
  ['that reads workflows', { default_permissions: { workflows: 'read' } }, 'unsupported: workflows: read'],
  ['with an unknown event', { default_events: ['pull_requests'] }, 'unsupported: pull_requests'],
  ['with an event that every App receives', { default_events: ['installation'] }, 'every App receives it'],
  ['with an event that its permissions do not cover', { default_events: ['check_run'] }, 'unsupported: check_run'],
])('a manifest %s is refused', (_name, change, problem) => {
  expect(() => parseManifest({ ...manifest, ...change })).toThrow(problem);
});
