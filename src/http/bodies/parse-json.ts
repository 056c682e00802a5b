import type { IncomingHttpHeaders } from 'node:http';
import { MIMEType } from 'node:util';
import { HttpProblem } from '../problem.ts';
import { bodyLimits } from './body-budget.ts';
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
export function parseJson(bytes: Uint8Array): unknown {
  if (bytes.length > bodyLimits.small) requireFlat(bytes);
  return requireRead(readJson(bytes));
}

/** Far more than an instruction of the greatest length has. */
const maxMarks = 200_000;

/** Megabytes of brackets would take seconds and hundreds of megabytes to parse. Images are a few long strings. */
function requireFlat(bytes: Uint8Array): void {
  let marks = 0;
  for (let at = 0; at < bytes.length; at += 1) {
    const byte = bytes[at];
    if (byte === 0x2c || byte === 0x5b || byte === 0x7b) marks += 1;
  }
  if (marks > maxMarks)
    throw new HttpProblem('content-too-large', 'The body has too many values. Only images may be large.');
}

/** Returns the value. Throws a `Problem` if it could not be read. */
export function requireRead(read: ReadJson): unknown {
  switch (read.kind) {
    case 'json':
      return read.value;
    case 'not-utf8':
      throw notJson('Send the body in UTF-8.');
    case 'not-json':
      // The parser's message would show the body.
      throw new HttpProblem('invalid-request', 'Invalid request: the body is not valid JSON.', {
        extensions: { errors: [{ pointer: '#', detail: 'is not valid JSON' }] },
      });
  }
}

const notJson = (detail: string) => new HttpProblem('unsupported-media-type', detail);
