import { createHash, randomInt } from 'node:crypto';
import { crc32 } from 'node:zlib';

const prefix = 'pagewright_';
const randomLength = 32;
const checksumLength = 6;
const digits = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const form = new RegExp(`^${prefix}[0-9A-Za-z]{${randomLength + checksumLength}}$`);

/**
 * A new API key: prefix, 32 random base62 characters (190 bits) and their CRC32 in base62, as GitHub's tokens have it, so that a
 * scanner knows one when it sees it. https://github.blog/engineering/behind-githubs-new-authentication-token-formats/
 */
export function generateKey(): string {
  // randomInt, because a byte modulo 62 would prefer the first eight digits.
  const random = Array.from({ length: randomLength }, () => digits.charAt(randomInt(digits.length))).join('');
  return `${prefix}${random}${checksum(random)}`;
}

/** Whether a text can be a key at all: a typo or another product's token is refused without a look into the database. */
export function isWellFormedKey(text: string): boolean {
  if (!form.test(text)) return false;
  const random = text.slice(prefix.length, -checksumLength);
  return text.endsWith(checksum(random));
}

/** What is stored of a key. A plain hash is enough for 190 random bits, and cheap enough for every request. */
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
