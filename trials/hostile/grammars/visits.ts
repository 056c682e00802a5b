import type { Random } from '../../../harness/random.ts';
import { chance, number, oneOf, type Some, words } from './draw.ts';

/** Addresses of a project and its job that only its writers may request. */
const reads = words(
  '/ /jobs/new /jobs/JOB /jobs/JOB/events /keys /webhooks /usage /usage?format=csv /settings /events',
);
const writes = words(
  '/jobs/new /jobs/JOB/messages /jobs/JOB/cancel /jobs/JOB/archive /jobs/JOB/unarchive /keys /keys/KEY/revoke /webhooks',
);

const spell = (path: string, { jobId, keyId }: { jobId: string; keyId: string }) =>
  path.replace('JOB', jobId).replace('KEY', keyId).replace(/^\/$/, '');

export const drawRead = (random: Random, ids: { jobId: string; keyId: string }): string =>
  spell(random.pick(reads), ids);
export const drawWrite = (random: Random, ids: { jobId: string; keyId: string }): string =>
  spell(random.pick(writes), ids);

/** Draws a cookie that is not a session of the person: nearly theirs, or none at all. */
export function drawBrokenSession(random: Random, session: string): string {
  const at = number(random, session.length);
  const other = session[at] === 'A' ? 'B' : 'A';
  const changed = oneOf(random, [
    () => `${session.slice(0, at)}${other}${session.slice(at + 1)}`,
    () => session.slice(0, -1),
    () => `${session}A`,
    () => [...session].reverse().join(''),
    () => session.toLowerCase(),
    () => encodeURIComponent(`"${session}"`),
    () => 'A'.repeat(43),
    '%00',
    '',
  ]);
  if (changed === session) return '';
  const name = chance(random, 0.85) ? 'pagewright_session' : random.pick(words('__Host-pagewright_session session'));
  return `${name}=${changed}`;
}

/** Draws the headers of a form of another site's page, including those of old browsers. */
export function drawForeignOrigin(random: Random, origin: string): Record<string, string> {
  const { host, port } = new URL(origin);
  const origins: Some<string> = [
    ...(['https://evil.example', 'null', '', `https://${host}`, `http://${host}.evil.example`] as const),
    ...[`http://evil.example:${port}`, `http://${host}@evil.example`, `http://localhost:${port}`, `${origin}/`],
  ];
  const site = random.pick(['cross-site', 'same-site', 'none', 'cross-site, same-origin']);
  return random.pick<Record<string, string>>([
    { origin: random.pick(origins) },
    { origin: random.pick(origins), 'sec-fetch-site': site },
    { origin: random.pick(origins), 'sec-fetch-site': 'same-origin' },
    { origin, 'sec-fetch-site': site },
    { 'sec-fetch-site': site },
    {},
  ]);
}
