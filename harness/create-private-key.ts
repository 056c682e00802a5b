import { generateKeyPairSync } from 'node:crypto';

/** A private key for an App: PEM, PKCS #8. */
export const createPrivateKey = (): string =>
  generateKeyPairSync('rsa', {
    modulusLength: 2048,
    privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
    publicKeyEncoding: { type: 'spki', format: 'pem' },
  }).privateKey;
