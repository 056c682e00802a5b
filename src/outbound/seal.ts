import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';

/** Both throw `SecretsKeyMissing` if the process has no key. */
export interface Seal {
  /** `owner`: the row that holds the secret; it opens nowhere else. */
  close(secret: string, owner: string): Buffer;
  /** Throws `SealBroken`. */
  open(sealed: Buffer, owner: string): string;
}

/** The secret was sealed with another key. */
export class SealBroken extends Error {
  override readonly name = 'SealBroken';
}

const version = 1;
const nonceBytes = 12;
const tagBytes = 16;

/**
 * AES-256-GCM with a random nonce: https://csrc.nist.gov/pubs/sp/800/38/d/final. A sealed secret is a version, the nonce, the tag and the
 * ciphertext. The key is loaded when it is first needed.
 */
export function createSeal(loadKey: () => Buffer): Seal {
  let loaded: Buffer | undefined;
  const readKey = () => {
    loaded ??= loadKey();
    return loaded;
  };
  return {
    close(secret, owner) {
      const key = readKey();
      const nonce = randomBytes(nonceBytes);
      const cipher = createCipheriv('aes-256-gcm', key, nonce).setAAD(Buffer.from(owner));
      const text = Buffer.concat([cipher.update(secret, 'utf8'), cipher.final()]);
      return Buffer.concat([Buffer.of(version), nonce, cipher.getAuthTag(), text]);
    },
    open(sealed, owner) {
      const key = readKey();
      try {
        const nonce = sealed.subarray(1, 1 + nonceBytes);
        const tag = sealed.subarray(1 + nonceBytes, 1 + nonceBytes + tagBytes);
        const decipher = createDecipheriv('aes-256-gcm', key, nonce, { authTagLength: tagBytes });
        decipher.setAAD(Buffer.from(owner)).setAuthTag(tag);
        return decipher.update(sealed.subarray(1 + nonceBytes + tagBytes), undefined, 'utf8') + decipher.final('utf8');
      } catch (cause) {
        throw new SealBroken(
          'the secret was stored with another SECRETS_KEY: set the same one for all processes, or rotate the secret',
          { cause },
        );
      }
    },
  };
}
