import { createPrivateKey, randomBytes, randomUUID } from 'node:crypto';
import { linkSync, mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { hasCode } from '../errors.ts';

/** False with a passphrase. */
export const isPrivateKey = (pem: string): boolean => orUndefined(() => createPrivateKey(pem)) !== undefined;

/** Accepts PEM, PEM with `\n` written out, and base64 of a PEM. `pem` is empty if neither variable is set. */
export function readPrivateKey({ inline, path }: { inline: string | null; path: string | null }): {
  pem: string;
  problems: string[];
} {
  if (inline === null && path === null) return { pem: '', problems: [] };
  const name = inline === null ? 'PRIVATE_KEY_PATH' : 'PRIVATE_KEY';
  const text = inline ?? orUndefined(() => readFileSync(path ?? '', 'utf8'));
  if (text === undefined) return { pem: '', problems: [`${name}: cannot read the file ${path}`] };
  const decoded = text.includes('-----BEGIN') ? text : Buffer.from(text, 'base64').toString('utf8');
  const pem = decoded.replaceAll('\\n', '\n').trim();
  if (isPrivateKey(pem)) return { pem, problems: [] };
  const expected = 'must be a complete private key without a passphrase: PEM, PEM with \\n, or base64 of a PEM';
  return { pem, problems: [`${name}: ${expected}`] };
}

function orUndefined<Result>(read: () => Result): Result | undefined {
  try {
    return read();
  } catch {
    return undefined;
  }
}

/** As written and decoded, because logs may hold either. */
export function listPasswordSpellings(databaseUrl: string | null): string[] {
  const [, userInfo = '', rest = ''] = /^[^/]*\/\/(?:([^/?#]*)@)?(.*)$/s.exec(databaseUrl ?? '') ?? [];
  const [, inUserInfo] = /:(.*)$/s.exec(userInfo) ?? [];
  // pg reads the query, too: https://www.npmjs.com/package/pg-connection-string
  const [, inQuery] = /[?&]password=([^&#]*)/.exec(rest) ?? [];
  const written = [inUserInfo, inQuery].filter((password) => password !== undefined);
  const spellings = written.flatMap((password) => [password, decodeURIComponent(password)]);
  return [...new Set(spellings)].filter((spelling) => spelling !== '');
}

const keyBytes = 32;

/** The first one encrypts; all of them decrypt, so that it can be rotated. */
export type SecretsKeys = readonly [Buffer, ...Buffer[]];

/** Where the keys come from. `missing`: several processes share the database, and the variable is not set. */
export type SecretsKey = { kind: 'set'; keys: SecretsKeys } | { kind: 'file'; path: string } | { kind: 'missing' };

/** Separated by commas or white space. Undefined: one of them is not 32 bytes in base64. */
export function decodeSecretsKeys(text: string): SecretsKeys | undefined {
  const keys = text
    .trim()
    .split(/(?<!\s)\s*,\s*|\s+/)
    .map(decodeKey);
  const [first, ...others] = keys.filter((key) => key !== undefined);
  return first && others.length + 1 === keys.length ? [first, ...others] : undefined;
}

function decodeKey(text: string): Buffer | undefined {
  const key = Buffer.from(text, 'base64');
  return key.length === keyBytes && /^[\w+/-]+=*$/.test(text) ? key : undefined;
}

/** Secrets cannot be stored or read. The message says what the operator has to do. */
export class SecretsKeyMissing extends Error {
  override readonly name = 'SecretsKeyMissing';
}

/** Makes the file on first use, readable by its owner only; processes that do so at once agree on one. Throws `SecretsKeyMissing`. */
export function loadSecretsKeys(source: SecretsKey): SecretsKeys {
  if (source.kind === 'set') return source.keys;
  if (source.kind === 'missing')
    throw new SecretsKeyMissing(
      'SECRETS_KEY is not set: set it to the same value for all processes; generate one with: openssl rand -base64 32',
    );
  return readKeyFile(source.path) ?? makeKeyFile(source.path);
}

function makeKeyFile(path: string): SecretsKeys {
  const draft = `${path}.${randomUUID()}`;
  mkdirSync(dirname(path), { recursive: true });
  try {
    writeFileSync(draft, `${randomBytes(keyBytes).toString('base64')}\n`, { flag: 'wx', mode: 0o600, flush: true });
    linkSync(draft, path);
  } catch (error) {
    if (!hasCode(error, 'EEXIST')) throw error;
  } finally {
    rmSync(draft, { force: true });
  }
  const keys = readKeyFile(path);
  if (!keys) throw new SecretsKeyMissing(`${path} could not be made`);
  return keys;
}

function readKeyFile(path: string): SecretsKeys | undefined {
  let text: string;
  try {
    if ((statSync(path).mode & 0o077) !== 0)
      throw new SecretsKeyMissing(`${path} contains a secret that other users can read; run: chmod 600 ${path}`);
    text = readFileSync(path, 'utf8').trim();
  } catch (error) {
    if (hasCode(error, 'ENOENT')) return undefined;
    throw error;
  }
  const keys = decodeSecretsKeys(text);
  if (!keys)
    throw new SecretsKeyMissing(
      `${path} is damaged: restore it from a backup, or remove it and rotate all webhook secrets`,
    );
  return keys;
}
