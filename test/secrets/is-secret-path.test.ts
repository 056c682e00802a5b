import { expect, test } from 'vitest';
import { isSecretPath } from '../../src/secrets/is-secret-path.ts';

test.each([
  ...[
    '.env',
    '.env.local',
    'docs/.env.production',
    '.ENV',
    'prod.env',
    '.envrc',
    '.netrc',
    '.npmrc',
    'site/.yarnrc.yml',
  ],
  ...['server.pem', 'certs/server.KEY', 'id_rsa', '.ssh/config', 'deploy/id_ed25519', 'signing.p12', 'passwords.kdbx'],
  ...['.aws/credentials', 'credentials', '.kube/config', 'infra/prod.tfvars', 'infra/terraform.tfstate'],
  ...['service-account.json', 'acme-service-account-prod.json', 'serviceaccount.json', 'client_secret_123.json'],
  '．env',
])('promise 35: %s is a secret file', (path) => {
  expect(isSecretPath(path)).toBe(true);
});

test.each([
  ...['.env.example', '.env.sample', 'docs/.env.template', 'docs/env.md', 'docs/.env.md', 'docs/credentials.md'],
  ...['docs/credentials/index.mdx', 'id_rsa.pub', 'docs/key.rst', 'docs/.ssh/setup.md', 'environment.ts', 'keys.json'],
  ...['docs/service-accounts.md', 'i18n/en/credentials.json', 'mkdocs.yml'],
])('%s is no secret file', (path) => {
  expect(isSecretPath(path)).toBe(false);
});
