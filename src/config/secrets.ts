import { createPrivateKey } from 'node:crypto';
import { readFileSync } from 'node:fs';

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
