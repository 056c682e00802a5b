import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';
import { Webhook as Signer } from 'standardwebhooks';
import type { SecretsKeys } from '../config/secrets.ts';

export type Seal = ReturnType<typeof createSeal>;

/** The secret was sealed with a key that this process does not have. */
export class SealBroken extends Error {
  override readonly name = 'SealBroken';
}

const version = 1;
const nonceBytes = 12;
const tagBytes = 16;

/**
 * AES-256-GCM with a random nonce: https://csrc.nist.gov/pubs/sp/800/38/d/final. A sealed secret is a version, the nonce, the tag and the
 * ciphertext. The keys are loaded when they are first needed. All functions throw `SecretsKeyMissing` if the process has no key.
 */
export function createSeal(loadKeys: () => SecretsKeys) {
  let loaded: SecretsKeys | undefined;
  const readKeys = () => {
    loaded ??= loadKeys();
    return loaded;
  };

  /** `owner`: the row that holds the secret; it opens nowhere else. */
  function close(secret: string, owner: string): Buffer {
    const [key] = readKeys();
    const nonce = randomBytes(nonceBytes);
    const cipher = createCipheriv('aes-256-gcm', key, nonce).setAAD(Buffer.from(owner));
    const text = Buffer.concat([cipher.update(secret, 'utf8'), cipher.final()]);
    return Buffer.concat([Buffer.of(version), nonce, cipher.getAuthTag(), text]);
  }

  function openWithAny(sealed: Buffer, owner: string): { secret: string; isCurrent: boolean } {
    const failures: unknown[] = [];
    for (const [at, key] of readKeys().entries()) {
      try {
        return { secret: openWith(key, sealed, owner), isCurrent: at === 0 };
      } catch (error) {
        failures.push(error);
      }
    }
    throw new SealBroken(
      'the secret was stored with another SECRETS_KEY: set the same one for all processes, or rotate the secret',
      { cause: failures[0] },
    );
  }

  return {
    close,
    /** Throws `SealBroken`. */
    open: (sealed: Buffer, owner: string): string => openWithAny(sealed, owner).secret,
    /** The same secret, encrypted with the first key; undefined: it already is. Throws `SealBroken`. */
    renew(sealed: Buffer, owner: string): Buffer | undefined {
      const { secret, isCurrent } = openWithAny(sealed, owner);
      return isCurrent ? undefined : close(secret, owner);
    },
  };
}

/** Throws if it was encrypted with another key or for another owner, or was changed. */
function openWith(key: Buffer, sealed: Buffer, owner: string): string {
  const nonce = sealed.subarray(1, 1 + nonceBytes);
  const tag = sealed.subarray(1 + nonceBytes, 1 + nonceBytes + tagBytes);
  const decipher = createDecipheriv('aes-256-gcm', key, nonce, { authTagLength: tagBytes });
  decipher.setAAD(Buffer.from(owner)).setAuthTag(tag);
  return decipher.update(sealed.subarray(1 + nonceBytes + tagBytes), undefined, 'utf8') + decipher.final('utf8');
}

const secretBytes = 32;

/** https://github.com/standard-webhooks/standard-webhooks/blob/main/spec/standard-webhooks.md#signature-scheme */
export const generateSecret = (): string => `whsec_${randomBytes(secretBytes).toString('base64')}`;

/** The headers of Standard Webhooks, with one signature for each secret that is valid. */
export function signMessage(message: {
  messageId: string;
  body: string;
  secrets: readonly string[];
}): Record<string, string> {
  const { messageId, body, secrets } = message;
  const at = new Date();
  return {
    'content-type': 'application/json',
    'user-agent': 'Pagewright',
    'webhook-id': messageId,
    'webhook-timestamp': String(Math.floor(at.getTime() / 1_000)),
    'webhook-signature': secrets.map((secret) => new Signer(secret).sign(messageId, at, body)).join(' '),
  };
}
