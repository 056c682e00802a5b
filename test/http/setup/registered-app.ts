import { generateKeyPairSync } from 'node:crypto';
import type { ConvertedManifest } from '../../../src/http/setup/set-up.ts';

const { privateKey } = generateKeyPairSync('rsa', {
  modulusLength: 2048,
  privateKeyEncoding: { type: 'pkcs1', format: 'pem' },
  publicKeyEncoding: { type: 'spki', format: 'pem' },
});

/** What GitHub hands out for a new App. */
export const convertedApp: ConvertedManifest = {
  appId: 4711,
  slug: 'acme-docs',
  name: 'Acme Docs',
  owner: 'acme',
  url: 'https://github.com/apps/acme-docs',
  privateKey,
  webhookSecret: 'a-webhook-secret-of-github',
  clientId: 'Iv1.0123456789abcdef',
  clientSecret: 'a-client-secret-of-github',
};
