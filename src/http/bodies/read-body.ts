import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http';
import { MIMEType } from 'node:util';
import { realTiming } from '../../timing.ts';
import { HttpProblem } from '../problem.ts';
import { type ArrivingBody, type BodyBudget, bodyLimits } from './body-budget.ts';
import { type ReadJson, readJson } from './read-json.ts';

/** A body that has arrived. Disposing it frees its memory: nothing may keep `bytes`. */
export interface ReceivedBody extends Disposable {
  readonly bytes: Buffer;
}

/** Reads the body of a request. Throws a `Problem` if it is refused. */
export type ReadBody = (
  request: IncomingMessage,
  response: ServerResponse,
  options: {
    maxBytes: number;
    /** Sees each part as it arrives, and must not keep it. */
    onPart?: (part: Buffer) => void;
  },
) => Promise<ReceivedBody>;

/**
 * The only way to read a body: with a declared length, into one buffer of that size, within the budget of the process and `bodyMs`. Refuses by
 * the headers before it reads a byte.
 */
export function createReadBody(parts: { budget: BodyBudget; bodyMs?: number }): ReadBody {
  const { budget, bodyMs = realTiming.http.bodyMs } = parts;
  return async (request, response, { maxBytes, onPart = () => {} }) => {
    const size = readLength(request, Math.min(maxBytes, bodyLimits.large));
    const refused = Promise.withResolvers<never>();
    using stack = new DisposableStack();
    const late = setTimeout(() => refused.reject(tooSlow(bodyMs)), bodyMs);
    stack.defer(() => clearTimeout(late));
    const body = stack.use(budget.open({ size, refuse: refused.reject }));
    // The client may wait for this before it sends the body.
    if (request.headers.expect !== undefined) response.writeContinue();
    await Promise.race([receive(request, body, onPart), refused.promise]);
    clearTimeout(late);
    stack.move();
    return body;
  };
}

function readLength({ headers }: IncomingMessage, maxBytes: number): number {
  const length = headers['content-length'];
  if (length === undefined) throw new HttpProblem('length-required', 'Send a body with a Content-Length.');
  const size = Number(length);
  if (size > maxBytes) throw new HttpProblem('content-too-large', `The body must not exceed ${formatSize(maxBytes)}.`);
  return size;
}

/** Rejects if the client leaves before the body is complete. */
function receive(request: IncomingMessage, body: ArrivingBody, onPart: (part: Buffer) => void): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  request.on('data', (part: Buffer) => {
    onPart(part);
    const room = body.add(part);
    if (!room) return;
    hold(request);
    void room.then(() => {
      request.resume();
      request.socket.resume();
    });
  });
  const leave = () => reject(new HttpProblem('invalid-request', 'The body is incomplete.'));
  request.once('end', resolve).once('error', leave).once('close', leave);
  return promise;
}

/** The stream alone would go on to buffer 64 KiB, which takes 50 MB if they arrive byte by byte: each byte is a Buffer then. */
function hold(request: IncomingMessage): void {
  request.pause();
  // Within this turn of the event loop, the stream would start its socket again.
  setImmediate(() => {
    if (request.isPaused()) request.socket.pause();
  });
}

const formatSize = (bytes: number) => {
  const kibibytes = bytes / 1024;
  return kibibytes < 1024 ? `${kibibytes} KiB` : `${kibibytes / 1024} MiB`;
};

const tooSlow = (bodyMs: number) =>
  new HttpProblem('request-timeout', `The body did not arrive within ${bodyMs / 1000} s.`, {
    headers: { Connection: 'close' },
  });

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
export function parseJsonBody(bytes: Uint8Array): unknown {
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
