import { createHash, randomInt } from 'node:crypto';
import { crc32 } from 'node:zlib';

const prefix = 'pagewright_';
const randomLength = 32;
const checksumLength = 6;
const digits = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const form = new RegExp(`^${prefix}[0-9A-Za-z]{${randomLength + checksumLength}}$`);

/** Prefix, 190 random bits, CRC32, as secret scanners expect: https://github.blog/engineering/behind-githubs-new-authentication-token-formats/ */
export function generateKey(): string {
  // A byte modulo 62 would prefer the first eight digits.
  const random = Array.from({ length: randomLength }, () => digits.charAt(randomInt(digits.length))).join('');
  return `${prefix}${random}${checksum(random)}`;
}

/** Refuses typos and other products' tokens without a query. */
export function isWellFormedKey(text: string): boolean {
  if (!form.test(text)) return false;
  const random = text.slice(prefix.length, -checksumLength);
  return text.endsWith(checksum(random));
}

/** The stored digest of a key. A fast hash is safe for 190 random bits. */
export function digestKey(key: string): Buffer {
  return createHash('sha256').update(key).digest();
}

function checksum(random: string): string {
  let rest = crc32(random);
  let text = '';
  for (let place = 0; place < checksumLength; place += 1) {
    text = digits.charAt(rest % digits.length) + text;
    rest = Math.floor(rest / digits.length);
  }
  return text;
}
