import { randomBytes, randomUUID } from 'node:crypto';
import { linkSync, mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';

const keyBytes = 32;

/** Where the key comes from. `missing`: several processes share the database, and the variable is not set. */
export type SecretsKey = { kind: 'set'; key: Buffer } | { kind: 'file'; path: string } | { kind: 'missing' };

/** Undefined: not 32 bytes in base64. */
export function decodeSecretsKey(text: string): Buffer | undefined {
  const key = Buffer.from(text, 'base64');
  return key.length === keyBytes && /^[\w+/-]+=*$/.test(text) ? key : undefined;
}

/** Secrets cannot be stored or read. The message says what the operator has to do. */
export class SecretsKeyMissing extends Error {
  override readonly name = 'SecretsKeyMissing';
}

/** Makes the file on first use, readable by its owner only; processes that do so at once agree on one. Throws `SecretsKeyMissing`. */
export function loadSecretsKey(source: SecretsKey): Buffer {
  if (source.kind === 'set') return source.key;
  if (source.kind === 'missing')
    throw new SecretsKeyMissing(
      'SECRETS_KEY is not set: set it to the same value for all processes; generate one with: openssl rand -base64 32',
    );
  return readKeyFile(source.path) ?? makeKeyFile(source.path);
}

function makeKeyFile(path: string): Buffer {
  const draft = `${path}.${randomUUID()}`;
  mkdirSync(dirname(path), { recursive: true });
  try {
    writeFileSync(draft, `${randomBytes(keyBytes).toString('base64')}\n`, { flag: 'wx', mode: 0o600, flush: true });
    linkSync(draft, path);
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw error;
  } finally {
    rmSync(draft, { force: true });
  }
  const key = readKeyFile(path);
  if (!key) throw new SecretsKeyMissing(`${path} could not be made`);
  return key;
}

function readKeyFile(path: string): Buffer | undefined {
  let text: string;
  try {
    if ((statSync(path).mode & 0o077) !== 0)
      throw new SecretsKeyMissing(`${path} contains a secret that other users can read; run: chmod 600 ${path}`);
    text = readFileSync(path, 'utf8').trim();
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined;
    throw error;
  }
  const key = decodeSecretsKey(text);
  if (!key)
    throw new SecretsKeyMissing(
      `${path} is damaged: restore it from a backup, or remove it and rotate all webhook secrets`,
    );
  return key;
}
