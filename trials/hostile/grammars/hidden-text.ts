import type { Random } from '../../../harness/random.ts';
import { insertSomewhere, type Some } from './draw.ts';

const shift = (text: string, by: number) =>
  [...text].map((letter) => String.fromCodePoint((letter.codePointAt(0) ?? 0) + by)).join('');

const bits = (text: string, zero: string, one: string) =>
  [...Buffer.from(text)]
    .map((byte) => byte.toString(2).padStart(8, '0').replaceAll('0', zero).replaceAll('1', one))
    .join('');

/** Ways to write text without a letter that people see. */
const encodings: Some<(text: string) => string> = [
  (text) => shift(text, 0xe0000),
  (text) => `\u{e0001}${shift(text, 0xe0000)}\u{e007f}`,
  (text) => [...Buffer.from(text)].map((byte) => String.fromCodePoint(0xe0100 + byte)).join(''),
  (text) => bits(text, '\u200b', '\u200c'),
  (text) => bits(text, '\u200d', '\u2060'),
  (text) => bits(text, '\u2062', '\u2063'),
  (text) => bits(text, '\ufe00', '\ufe01'),
  (text) => bits(text, '\u3164', '\uffa0'),
];

/** The letters are there, but people read another text. */
const disguises: Some<(text: string, random: Random) => string> = [
  (text) => `\u202e${[...text].reverse().join('')}\u202c`,
  (text) => `\u2066${text}\u2069\u2067`,
  (text, random) => insertSomewhere(random, text, random.pick(['\u00ad', '\u180e', '\u034f', '\u2061', '\u115f'])),
  (text) => [...text].join('\u200b'),
];

/** Draws `cover` with `text` inside, invisible or turned round. */
export const drawHiddenText = (random: Random, cover: string, text: string): string =>
  insertSomewhere(random, cover, random.pick([...encodings, ...disguises])(text, random));

/** Draws `cover` with `text` inside that nobody sees. */
export const drawInvisibleText = (random: Random, cover: string, text: string): string =>
  insertSomewhere(random, cover, random.pick(encodings)(text));
