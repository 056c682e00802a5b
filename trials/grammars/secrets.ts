import { generateKeyPairSync } from 'node:crypto';
import type { Random } from '../../harness/trials/random.ts';
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

/** Draws a key, and a page that tells it. */
export function drawSecretPage(random: Random): { key: string; page: string } {
  const key = random.pick(keys)(random);
  return { key, page: random.pick(places)(key) };
}

/** Draws a password, which has no format: only the name of its file says what it is. */
export const drawPassword = (random: Random): string => `pass${drawLetters(random, 12)}`;
