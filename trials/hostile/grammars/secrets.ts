import { generateKeyPairSync } from 'node:crypto';
import type { Random } from '../../../harness/random.ts';
import { number, type Some } from './draw.ts';

const letters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789';
const drawLetters = (random: Random, count: number, from = letters) =>
  Array.from({ length: count }, () => from[number(random, from.length)]).join('');
const hex = '0123456789abcdef';
const capitals = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567';

/** Keys in the formats that their makers publish for scanners. */
const keys: Some<(random: Random) => string> = [
  (random) => `aws_secret_access_key = ${drawLetters(random, 40)}`,
  (random) => `sk-proj-${drawLetters(random, 74)}T3BlbkFJ${drawLetters(random, 74)}`,
  (random) => `sk_live_${drawLetters(random, 24)}`,
  (random) => `glpat-${drawLetters(random, 20)}`,
  (random) => `dckr_pat_${drawLetters(random, 27)}`,
  (random) => `ghp_${drawLetters(random, 36)}`,
  (random) => `ghs_${drawLetters(random, 36)}`,
  (random) => `github_pat_${drawLetters(random, 22)}_${drawLetters(random, 59)}`,
  (random) => `npm_${drawLetters(random, 36)}`,
  (random) =>
    `xoxb-${drawLetters(random, 12, '0123456789')}-${drawLetters(random, 12, '0123456789')}-${drawLetters(random, 24)}`,
  (random) =>
    `https://hooks.slack.com/services/T${drawLetters(random, 8, capitals)}/B${drawLetters(random, 8, capitals)}/${drawLetters(random, 24)}`,
  (random) => `SG.${drawLetters(random, 22)}.${drawLetters(random, 43)}`,
  (random) => `sk-ant-api03-${drawLetters(random, 93)}AA`,
  (random) => `shpat_${drawLetters(random, 32, hex)}`,
  (random) => `lin_api_${drawLetters(random, 40)}`,
  () =>
    generateKeyPairSync('rsa', {
      modulusLength: 2048,
      privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
      publicKeyEncoding: { type: 'spki', format: 'pem' },
    }).privateKey,
];

const places: Some<(key: string) => string> = [
  (key) => `# Page\n\nThe key is ${key} for now.\n`,
  (key) => `# Page\n\n\`\`\`sh\nexport TOKEN="${key}"\n\`\`\`\n`,
  (key) => `# Page\n\n| Name | Value |\n| --- | --- |\n| key | ${key} |\n`,
  (key) => `---\ntitle: Page\nkey: '${key}'\n---\n`,
  (key) => `# Page\n\n<!-- ${key} -->\n`,
  (key) => `${'A line of text.\n'.repeat(2_000)}${key}\n`,
];

/** Spellings that a reader, a build or a shell takes for the key. */
const disguises: Some<(key: string) => string> = [
  (key) => key,
  (key) => key,
  (key) => breakAt(key, '\n'),
  (key) => `> ${breakAt(key, '\n> ')}`,
  (key) => breakAt(key, '\\\n'),
  (key) => `"${breakAt(key, '" +\n  "')}"`,
  (key) => breakAt(key, '<wbr>'),
  (key) => key.replace(/[_.-]/g, '\\$&'),
  (key) => key.replace(/^./, (first) => `&#${first.charCodeAt(0)};`),
  (key) => key.replace(/^./, (first) => `\\u00${first.charCodeAt(0).toString(16)}`),
];

const breakAt = (key: string, joint: string) => key.slice(0, 24) + joint + key.slice(24);

/** Draws a key, a page that contains it, and a text that shows that the page was published. */
export function drawSecretPage(random: Random): { key: string; page: string; canary: string } {
  const key = random.pick(keys)(random);
  // The lines of a private key are broken already, and its first one has blanks.
  const written = key.includes('\n') ? key : random.pick(disguises)(key);
  return { key, page: random.pick(places)(written), canary: written.split('\n').at(1) ?? written };
}

/** Draws a password, which has no format: only the name of its file identifies it. */
export const drawPassword = (random: Random): string => `pass${drawLetters(random, 12)}`;
