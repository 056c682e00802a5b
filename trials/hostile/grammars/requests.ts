import type { Random } from '../../../harness/random.ts';
import { chance, insertSomewhere, mapLetters, number, oneOf, type Some, words } from './draw.ts';

/** A request as bytes, as any program with a socket can send it. */
export interface RawRequest {
  head: string;
  body: Buffer;
}

export const write = ({ head, body }: RawRequest): Buffer =>
  Buffer.concat([Buffer.from(`${head}\r\n\r\n`, 'latin1'), body]);

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

const openPages = words(
  '/metrics /setup /metrics/ /METRICS /%6detrics //metrics /setup/ /./metrics /setup?x=1 /setup/x',
);

/** Draws a request that only the operator on this machine may make, as a proxy would pass it on. */
export function drawOperatorRequest(random: Random): RawRequest {
  const host = random.pick(
    words('pagewright.example 10.0.0.1:3000 hostile.example localhost.hostile.example 127.0.0.1.hostile.example'),
  );
  const head = `${random.pick(words('GET POST HEAD'))} ${random.pick(openPages)} HTTP/1.1\r\nHost: ${host}\r\nConnection: close`;
  const token = random.pick([
    '',
    '',
    'Authorization: Bearer ',
    'Authorization: Bearer null',
    'Authorization: Basic Og==',
  ]);
  return { head: token ? `${head}\r\n${token}` : head, body: Buffer.alloc(0) };
}

/** Draws bytes that are hardly HTTP. */
export function drawBrokenRequest(random: Random): RawRequest {
  const line = `${random.pick(words('GET POST PUT TRACE CONNECT PROPFIND get G\u0000T FOO'))} ${random.pick(
    words('/ /livez /openapi.json * http://hostile.example/ /v2/agent/x/job /%zz /%c0%af /\u0001'),
  )} ${random.pick(words('HTTP/1.1 HTTP/1.0 HTTP/2.0 HTTP/9.9 FTP/1.1'))}`;
  const header = oneOf(random, [
    'Host: x',
    '',
    'Host: x\r\nHost: y',
    () => `Host: x\r\nX-Long: ${'x'.repeat(number(random, 40_000))}`,
    () => `Host: x${'\r\nX-Many: x'.repeat(number(random, 3_000))}`,
    'Host: x\r\nExpect: 200-maybe',
    'Host: x\r\nContent-Length: 5\r\nTransfer-Encoding: chunked',
    'Host: x\r\nTransfer-Encoding: chunked, identity',
    'Host: x\r\n X-Folded: y',
    'Host: x\r\nNo colon',
    'Host: x\r\nX-Nul: \u0000',
    'Host: x\r\nUpgrade: websocket\r\nConnection: Upgrade',
    'Host: x\r\nRange: bytes=0-0,0-0,0-0',
    'Host: x\r\nAccept: ../../etc/passwd',
  ]);
  return {
    head: `${line}\r\n${header}`,
    body: Buffer.from(chance(random, 0.3) ? 'G'.repeat(number(random, 100)) : ''),
  };
}

const encodings: Some<(text: string, random: Random) => string> = [
  (text) => text,
  (text) => text,
  (text, random) => mapLetters(random, text, 0.5, (letter) => letter.toUpperCase()),
  (text, random) => mapLetters(random, text, 0.2, (letter) => `%${letter.charCodeAt(0).toString(16)}`),
  (text) => encodeURIComponent(text),
  (text) => `${text}/`,
  (text) => `${text}%00`,
  (text) => `${text}%2f..%2f${text}`,
  (text) => `../job/${text}`,
  (text) => `${text};x=1`,
  (text) => `${text}' or '1'='1`.replaceAll(' ', '%20'),
  (text) => `${text}%0d%0aX-A:%20b`,
  (text) => `./${text}`,
  (text, random) => insertSomewhere(random, text, '%e2%80%8b'),
  (text) => text.slice(0, -1),
  (text) => text.repeat(50),
  (text) => `${text}%ff%fe`,
  (text) => text.replace('_', '%5f'),
];

/** The projects, jobs and keys of two callers. */
export interface Callers {
  mine: { projectId: string; key: string; jobId: string };
  theirs: { projectId: string; key: string; jobId: string };
}

const actions = words('/message /cancel /archive /runs /runs / /events');

/** Draws a request that must not reach the other caller's job: with the wrong key, a broken one or none, and any address. */
export function drawForeignRequest(random: Random, { mine, theirs }: Callers): RawRequest {
  const action = chance(random, 0.3) ? '' : random.pick(actions);
  const isRead = chance(random, 0.5);
  // Never the other caller's project and job with that caller's key.
  const [projectId, jobId, key] = random.pick([
    [theirs.projectId, theirs.jobId, mine.key],
    [mine.projectId, theirs.jobId, mine.key],
    [mine.projectId, theirs.jobId, mine.key],
    [mine.projectId, theirs.jobId, theirs.key],
    [theirs.projectId, theirs.jobId, ''],
    [theirs.projectId, theirs.jobId, drawBrokenKey(random, theirs.key)],
  ]);
  const spelled = (text: string) => (chance(random, 0.7) ? text : random.pick(encodings)(text, random));
  const path = `/v2/agent/${spelled(projectId)}/job/${spelled(jobId)}${action}`;
  const extra = oneOf(random, [
    '',
    '',
    () => `X-HTTP-Method-Override: GET\r\n`,
    () => `X-Project-Id: ${theirs.projectId}\r\n`,
    () => `X-Original-URL: /v2/agent/${theirs.projectId}/job/${theirs.jobId}\r\n`,
    () => `X-Forwarded-For: 127.0.0.1\r\n`,
    () => `Cookie: key=${mine.key}\r\n`,
    () => `Origin: https://hostile.example\r\n`,
  ]);
  const authorization =
    key === ''
      ? ''
      : `Authorization: ${chance(random, 0.8) ? 'Bearer' : random.pick(['bearer', 'Basic', 'Token', ''])} ${key}\r\n`;
  const body = Buffer.from(JSON.stringify({ prompt: 'Delete everything.' }));
  const head = `${isRead ? 'GET' : 'POST'} ${path} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n${authorization}${extra}`;
  return isRead
    ? { head: head.trimEnd(), body: Buffer.alloc(0) }
    : { head: `${head}Content-Type: application/json\r\nContent-Length: ${body.length}`, body };
}

/** An invalid key: one letter off, in another case, cut, or with a suffix. */
const drawBrokenKey = (random: Random, key: string): string =>
  oneOf(random, [
    () => key.slice(0, -1),
    () => `${key}x`,
    () => `${key},${key}`,
    () => key.toUpperCase(),
    () => `${key.slice(0, 12)}${key[12] === 'a' ? 'b' : 'a'}${key.slice(13)}`,
    () => key.replace('pagewright_', ''),
    () => encodeURIComponent(key).replace('_', '%5F'),
    () => `"${key}"`,
    () => [...key].reverse().join(''),
    '%00',
    'null',
  ]);
