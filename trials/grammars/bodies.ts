import type { Random } from '../../harness/trials/random.ts';
import { oneOf } from './draw.ts';

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
