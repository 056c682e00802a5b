import type { Random } from '../../../harness/random.ts';
import { chance, mapLetters, number, oneOf, type Some, words } from './draw.ts';

/** Every host that the grammars draw ends so, and no other text. */
export const hostileDomain = 'hostile.example';

const schemes = words('https:// http:// HTTPS:// hTTp:// // https:/ https:\\\\ ftp:// //// https:\\/');

function drawHost(random: Random, friendlyHost: string): string {
  const host = `h${number(random, 1e6)}.${hostileDomain}`;
  const hosts: Some<string | ((random: Random) => string)> = [
    host,
    host,
    host.toUpperCase(),
    `${host}.`,
    `${host}:8443`,
    `${friendlyHost}@${host}`,
    `user:pass@${host}`,
    `${friendlyHost}.${host}`,
    `${friendlyHost}%2f@${host}`,
    host.replaceAll('.', '。'),
    host.replace('h', 'ｈ'),
    mapLetters(random, host, 0.2, (letter) => `%${letter.codePointAt(0)?.toString(16)}`),
    `www.${host}`,
  ];
  return oneOf(random, hosts);
}

/** Draws an address that would take a reader's browser out of GitHub, with `data` in it. */
export function drawAddress(random: Random, { friendlyHost, data }: { friendlyHost: string; data: string }): string {
  const host = drawHost(random, friendlyHost);
  const scheme = host.startsWith('www.') && chance(random, 0.5) ? '' : random.pick(schemes);
  return `${scheme}${host}/${random.pick(['', 'x.png', 'a/b', 'pixel.gif'])}?d=${data}`;
}
