import fc from 'fast-check';
import { expect, test } from 'vitest';
import { digestKey, generateKey, isWellFormedKey } from '../../src/keys/key-format.ts';

const base62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';

test('promise 26: a key is a prefix, 32 random characters and a checksum of 6', () => {
  const key = generateKey();
  expect(key).toMatch(/^pagewright_[0-9A-Za-z]{38}$/);
  expect(isWellFormedKey(key)).toBe(true);
});

test('the checksum is the CRC32 of the random characters, in base62', () => {
  // Computed with another language's zlib.
  expect(isWellFormedKey('pagewright_0123456789ABCDEFGHIJKLMNOPQRSTUV1ggZdL')).toBe(true);
});

test('a key with one wrong character is refused without a query', () => {
  const key = generateKey();
  fc.assert(
    fc.property(fc.nat(key.length - 1), fc.constantFrom(...base62), (place, character) => {
      const typo = key.slice(0, place) + character + key.slice(place + 1);
      expect(isWellFormedKey(typo)).toBe(typo === key);
    }),
  );
});

test.each([
  ['nothing', ''],
  ['only the prefix', 'pagewright_'],
  ['another product’s token', 'ghp_16C7e42F292c6912E7710c838347Ae178B4a'],
  ['a key with something before it', ` ${generateKey()}`],
  ['a key with something after it', `${generateKey()}\n`],
  ['two keys', generateKey() + generateKey()],
  ['a key in capitals', generateKey().toUpperCase()],
])('%s is no key', (_name, text) => {
  expect(isWellFormedKey(text)).toBe(false);
});

test('all characters are equally likely', () => {
  const counts = new Map<string, number>();
  const keys = 4000;
  for (let made = 0; made < keys; made += 1) {
    for (const character of generateKey().slice('pagewright_'.length, -6)) {
      counts.set(character, (counts.get(character) ?? 0) + 1);
    }
  }
  // A byte modulo 62 would put the first eight a quarter above the others; chance moves a count by 6 % once in millions of runs.
  const expected = (keys * 32) / base62.length;
  expect(counts.size).toBe(base62.length);
  expect(Math.max(...counts.values())).toBeLessThan(expected * 1.14);
  expect(Math.min(...counts.values())).toBeGreaterThan(expected * 0.86);
});

test('a key is stored as its SHA-256', () => {
  expect(digestKey('abc').toString('hex')).toBe('ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad');
});
