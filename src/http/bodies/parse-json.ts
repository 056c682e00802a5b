import type { IncomingHttpHeaders } from 'node:http';
import { MIMEType } from 'node:util';
import { Problem } from '../problem.ts';
import { type ReadJson, readJson } from './read-json.ts';

/** Throws a `Problem` unless the headers announce JSON in UTF-8 that is not compressed. Runs before the body is read. */
export function requireJson({ headers }: { headers: IncomingHttpHeaders }): void {
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
export const parseJson = (bytes: Uint8Array): unknown => requireRead(readJson(bytes));

/** Returns the value. Throws a `Problem` if it could not be read. */
export function requireRead(read: ReadJson): unknown {
  switch (read.kind) {
    case 'json':
      return read.value;
    case 'not-utf8':
      throw notJson('Send the body in UTF-8.');
    case 'not-json':
      // The parser's message would show the body.
      throw new Problem('invalid-request', 'Invalid request: the body is not valid JSON.', {
        extensions: { errors: [{ pointer: '#', detail: 'is not valid JSON' }] },
      });
  }
}

const notJson = (detail: string) => new Problem('unsupported-media-type', detail);
