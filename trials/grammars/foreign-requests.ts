import type { Random } from '../../harness/trials/random.ts';
import { chance, insertSomewhere, mapLetters, oneOf, type Some, words } from './draw.ts';
import type { RawRequest } from './raw-request.ts';

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
