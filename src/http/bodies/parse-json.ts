import type { IncomingMessage } from 'node:http';
import { MIMEType } from 'node:util';
import { Problem } from '../problem.ts';

/** Throws a `Problem` unless the headers announce JSON in UTF-8 that is not compressed. Runs before the body is read. */
export function requireJson({ headers }: IncomingMessage): void {
  if (!isJsonType(headers['content-type'] ?? '')) throw notJson('Send the body with `Content-Type: application/json`.');
  if (!['identity', undefined].includes(headers['content-encoding']?.toLowerCase()))
    throw notJson('Send the body without a Content-Encoding.');
}

function isJsonType(contentType: string): boolean {
  try {
    const { subtype, params } = new MIMEType(contentType);
    const charset = params.get('charset')?.toLowerCase() ?? 'utf-8';
    return (subtype === 'json' || subtype.endsWith('+json')) && ['utf-8', 'utf8'].includes(charset);
  } catch {
    return false;
  }
}

/** Throws a `Problem` if the body is not JSON in UTF-8. */
export function parseJson(bytes: Buffer): unknown {
  const text = decode(bytes);
  try {
    return JSON.parse(text);
  } catch {
    // The error's message would show the body.
    throw new Problem('invalid-request', 'Invalid request: the body is not valid JSON.', {
      extensions: { errors: [{ pointer: '#', detail: 'is not valid JSON' }] },
    });
  }
}

function decode(bytes: Buffer): string {
  // JSON begins with two ASCII characters, so only UTF-16 and UTF-32 have a NUL here: https://www.rfc-editor.org/rfc/rfc4627#section-3
  if (bytes.subarray(0, 4).includes(0)) throw notUtf8();
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    throw notUtf8();
  }
}

const notJson = (detail: string) => new Problem('unsupported-media-type', detail);
const notUtf8 = () => notJson('Send the body in UTF-8.');
