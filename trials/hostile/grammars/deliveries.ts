import { createHmac } from 'node:crypto';
import type { Random } from '../../../harness/random.ts';
import { chance, number, oneOf, type Some } from './draw.ts';

type Json = unknown;

const strange: Some<Json> = [
  null,
  0,
  -1,
  1e308,
  2 ** 53,
  '',
  'x',
  '\u0000',
  '\ud800',
  'x'.repeat(100_000),
  [],
  [null],
  {},
  true,
  { login: null },
  { id: null },
  '../../etc/passwd',
  '2026-99-99T00:00:00Z',
  { __proto__: null, constructor: { prototype: {} } },
];

/** A payload with up to five of its values gone, null or strange. */
export function disturbPayload(random: Random, payload: Json): Json {
  const copy: Json = structuredClone(payload);
  for (let left = 1 + number(random, 5); left > 0; left -= 1) disturb(random, copy);
  return copy;
}

function disturb(random: Random, value: Json): void {
  if (typeof value !== 'object' || value === null) return;
  const keys = Object.keys(value);
  const key = keys[number(random, keys.length)];
  if (key === undefined) return;
  const inner: Json = Reflect.get(value, key);
  if (typeof inner === 'object' && inner !== null && chance(random, 0.6)) disturb(random, inner);
  else if (chance(random, 0.2)) Reflect.deleteProperty(value, key);
  else Reflect.set(value, key, structuredClone(random.pick(strange)));
}

const sign = (secret: string, body: string) => createHmac('sha256', secret).update(body).digest('hex');

/** A signature header that is not GitHub's for this body. */
export const drawForgedSignature = (random: Random, body: string, secret: string): string =>
  oneOf(random, [
    'none',
    () => `sha256=${sign('', body)}`,
    () => `sha256=${sign(`${secret} `, body)}`,
    () => `sha256=${sign(secret, `${body}\n`)}`,
    () => `sha256=${sign(secret, '')}`,
    () => `sha256=${sign(secret, body).toUpperCase()}`,
    () => `sha256=${sign(secret, body).slice(0, number(random, 64))}`,
    () => `sha256=${sign(secret, body)}0`,
    () => `SHA256=${sign(secret, body)}`,
    () => sign(secret, body),
    () => `sha1=${createHmac('sha1', secret).update(body).digest('hex')}`,
    () => `sha512=${createHmac('sha512', secret).update(body).digest('hex')}`,
    () => `sha256=${Buffer.from(sign(secret, body), 'hex').toString('base64')}`,
    () => `sha256=${'0'.repeat(64)}`,
    () => `sha256=${sign(secret, body).replace(/./, (digit) => (digit === '0' ? '1' : '0'))}`,
    () => `sha256=${sign(secret, body)},sha256=${sign('x', body)}`,
    () => `v1,${sign(secret, body)}`,
    () => `sha256=${'\u0130'.repeat(10)}`.slice(0, 71),
  ]);

export const signed = (secret: string, body: string): string => `sha256=${sign(secret, body)}`;

/** How much of a body is sent, and its headers. */
export interface Framing {
  bytes: number;
  /** Of one HTTP chunk, where the body comes in chunks. */
  chunkBytes: number;
  head: string;
}

/** Draws a body that no GitHub sends: without its length, with a wrong one, in tiny chunks, or endless. */
export function drawFraming(random: Random): Framing {
  const bytes = random.pick([0, 1, 100, 65_536, 1_000_000, 3_000_000, 24_000_000, 27_000_000]);
  const head = oneOf(random, [
    `Content-Length: ${bytes}\r\n`,
    `Content-Length: ${bytes}\r\n`,
    `Content-Length: ${bytes + 1_000}\r\n`,
    'Transfer-Encoding: chunked\r\n',
    'Transfer-Encoding: chunked\r\n',
    'Transfer-Encoding: gzip, chunked\r\n',
    `Transfer-Encoding: chunked\r\nContent-Length: ${bytes}\r\n`,
    `Content-Length: ${bytes}\r\nContent-Length: 5\r\n`,
    'Content-Length: -1\r\n',
    'Content-Length: 1e3\r\n',
    'Content-Length: 99999999999999999999\r\n',
    `Content-Length: ${bytes}\r\nExpect: 100-continue\r\n`,
    `Content-Length: ${bytes}\r\nContent-Encoding: gzip\r\n`,
    '',
  ]);
  return { bytes, chunkBytes: bytes > 3_000_000 ? 65_536 : random.pick([1, 1, 7, 65_536]), head };
}

/** The body as it goes over the wire, in pieces of some 100 KB. */
export function* frameBody({ bytes, chunkBytes, head }: Framing): Generator<Buffer> {
  const isChunked = head.includes('chunked');
  const unit = isChunked ? `${chunkBytes.toString(16)}\r\n${'x'.repeat(chunkBytes)}\r\n` : 'x';
  const unitBytes = isChunked ? chunkBytes : 1;
  const perPiece = Math.max(1, Math.floor(100_000 / unit.length));
  const piece = Buffer.from(unit.repeat(perPiece));
  const units = Math.floor(bytes / unitBytes);
  for (let left = units; left > 0; left -= perPiece) {
    yield left >= perPiece ? piece : piece.subarray(0, left * unit.length);
  }
  if (isChunked) yield Buffer.from('0\r\n\r\n');
}
