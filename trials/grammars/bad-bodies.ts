import type { Random } from '../../harness/trials/random.ts';
import { chance, type Some } from './draw.ts';
import type { Callers } from './foreign-requests.ts';
import type { RawRequest } from './raw-request.ts';

const texts: Some<unknown> = [null, 0, true, [], {}, '', '   ', '\u0000', 'a\u0000b', '\ud800', ['x'], { $ne: 1 }];
const refs: Some<unknown> = [
  0,
  '',
  '-x',
  '..',
  'a..b',
  'a b',
  'x.lock',
  '@{',
  'refs/../x',
  'a\u0000',
  'x'.repeat(300),
  '~1',
  '*',
];

/** Draws a create request with a good key whose body no service may accept. */
export function drawBadBody(random: Random, { mine }: Callers): RawRequest {
  const good = { prompt: 'Write a page.' };
  const json = (value: unknown) => Buffer.from(JSON.stringify(value));
  const bodies: Some<() => Buffer> = [
    () => json({ prompt: random.pick(texts) }),
    () => json({ ...good, ref: random.pick(refs) }),
    () => json({ ...good, model: random.pick(['gpt-evil', '', 0, null, 'GPT-TEST', '__proto__']) }),
    () => json({ ...good, draft: random.pick(['true', 1, null, [], 'yes']) }),
    () => json(random.pick([null, 1, 'text', [], [good], true])),
    () => Buffer.from(`{"prompt":"${'x'.repeat(300_000)}"}`),
    () => json({ prompt: '😀'.repeat(60_000) }),
    () => Buffer.from(`${'['.repeat(100_000)}`),
    () => Buffer.from(`${'{"prompt":'.repeat(20_000)}`),
    () => Buffer.from('{"prompt":"x"'),
    () => Buffer.from("{'prompt':'x'}"),
    () => Buffer.from('{"prompt":"x",}'),
    () => Buffer.from('prompt=x'),
    () => Buffer.from('{"__proto__":{"prompt":"x"}}'),
    () => Buffer.from(JSON.stringify(good), 'utf16le'),
    () => Buffer.concat([Buffer.from([0xff, 0xfe]), Buffer.from(JSON.stringify(good), 'utf16le')]),
    () => Buffer.from(JSON.stringify({ prompt: 'caf\u00e9 ÿ' }), 'latin1'),
    () => Buffer.concat([Buffer.from('{"prompt":"'), Buffer.from([0xc3, 0x28, 0xed, 0xa0, 0x80]), Buffer.from('"}')]),
    () => Buffer.alloc(0),
    () => Buffer.from([0x1f, 0x8b, 8, 0, 0, 0, 0, 0]),
  ];
  const body = random.pick(bodies)();
  const type = random.pick([
    'application/json',
    'application/json',
    'application/json; charset=utf-8',
    'application/json; charset=utf-16',
    'application/vnd.api+json',
    'text/plain',
    'application/x-www-form-urlencoded',
    'multipart/form-data; boundary=x',
  ]);
  const length = chance(random, 0.95) ? `Content-Length: ${body.length}` : 'Transfer-Encoding: chunked';
  const sent = length.startsWith('T') ? chunked(body) : body;
  const head = `POST /v2/agent/${mine.projectId}/job HTTP/1.1\r\nHost: x\r\nConnection: close\r\nAuthorization: Bearer ${mine.key}\r\nContent-Type: ${type}\r\n${length}`;
  return { head, body: sent };
}

const chunked = (body: Buffer) =>
  Buffer.concat([
    Buffer.from(body.length === 0 ? '' : `${body.length.toString(16)}\r\n`),
    body,
    Buffer.from(body.length === 0 ? '0\r\n\r\n' : '\r\n0\r\n\r\n'),
  ]);
