import { createPrivateKey } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { orUndefined } from './or-undefined.ts';

/** Whether it is a private key that can be used as it stands: whole, in PEM, without a passphrase. */
export const isPrivateKey = (pem: string): boolean => orUndefined(() => createPrivateKey(pem)) !== undefined;

/**
 * The App's private key from PRIVATE_KEY or, where that is not set, from the file at PRIVATE_KEY_PATH; `pem` is empty where there is
 * none. Takes the three forms in which environments carry keys: PEM as it is, with `\n` written out, or base64 of it.
 */
export function readPrivateKey({ inline, path }: { inline: string | null; path: string | null }): {
  pem: string;
  problems: string[];
} {
  if (inline === null && path === null) return { pem: '', problems: [] };
  const name = inline === null ? 'PRIVATE_KEY_PATH' : 'PRIVATE_KEY';
  const text = inline ?? orUndefined(() => readFileSync(path ?? '', 'utf8'));
  if (text === undefined) return { pem: '', problems: [`${name}: there is no file ${path} that can be read`] };
  const decoded = text.includes('-----BEGIN') ? text : Buffer.from(text, 'base64').toString('utf8');
  const pem = decoded.replaceAll('\\n', '\n').trim();
  if (isPrivateKey(pem)) return { pem, problems: [] };
  return { pem, problems: [`${name}: is no PEM private key (raw, with \\n, or base64; whole, without a passphrase)`] };
}
