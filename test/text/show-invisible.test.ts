import fc from 'fast-check';
import { expect, test } from 'vitest';
import { readShown, showInvisible } from '../../src/text/invisible.ts';

const tags = (text: string) => [...text].map((letter) => String.fromCodePoint(0xe0000 + letter.charCodeAt(0))).join('');

test.each<[string, string, string]>([
  ['a tag character', 'a\u{E0041}b', 'a⟨U+E0041⟩b'],
  ['a zero-width space', 'a\u200Bb', 'a⟨U+200B⟩b'],
  ['a bidi override', 'a\u202Eb', 'a⟨U+202E⟩b'],
  ['a control', 'a\x1Bb', 'a⟨U+001B⟩b'],
  ['a carriage return alone', 'a\rb', 'a⟨U+000D⟩b'],
  ['a joiner between Latin letters', 'a\u200Db', 'a⟨U+200D⟩b'],
  ['a selector behind no emoji', 'a\uFE0F', 'a⟨U+FE0F⟩'],
  ['tags behind a flag that is none', `\u{1F3F4}${tags('a')}\u{E007F}`, '\u{1F3F4}⟨U+E0061⟩⟨U+E007F⟩'],
  ['text that looks like it', 'a⟨U+200B⟩b', 'a⟨U+27E8⟩U+200B⟩b'],
])('promise 20: %s is shown', (_name, text, shown) => {
  expect(showInvisible(text)).toBe(shown);
});

test.each<[string, string]>([
  ['line breaks and tabs', 'a\n\tb\r\nc'],
  ['emoji', '\u{1F469}\u200D\u{1F4BB} \u2764\uFE0F 1\uFE0F\u20E3'],
  ['joiners that Persian needs', '\u0645\u06CC\u200C\u062E\u0648\u0627\u0647\u0645'],
  ['the form of a character that is visible', '⟨U+0041⟩ and ⟨x⟩'],
  ['a code point beyond Unicode', '⟨U+FFFFFF⟩'],
])('%s: shown as they are', (_name, text) => {
  expect(showInvisible(text)).toBe(text);
});

const piece = fc.constantFrom(
  ...['⟨', '⟩', 'U+', '⟨U+', '200B', 'E0041', '27E8', '0', 'e', '⟨U+200B⟩', '⟨U+0041⟩', '⟨U+27E8⟩', '⟨u+00ad⟩'],
  ...['\u200B', '\u200D', '\uFE0F', '\u202E', '\u00AD', '\u{E0041}', '\u{E007F}', '\r', '\n', '\t', '\0', '\uFEFF'],
  ...['a', ' ', '\u{1F469}', '\u{1F4BB}', '\u2764', '\u{1F3F4}', '\u0645', '\u0915', '1', '\u20E3'],
);
const text = fc.oneof(
  fc.array(piece, { maxLength: 30 }).map((pieces) => pieces.join('')),
  fc.string({ unit: 'binary' }),
);

test('promise 20: reading a shown text gives back the text', () => {
  fc.assert(
    fc.property(text, (original) => {
      expect(readShown(showInvisible(original))).toBe(original);
    }),
    { numRuns: 5_000 },
  );
});

test('promise 20: a shown text holds nothing invisible outside of emoji and words', () => {
  fc.assert(
    fc.property(text, (original) => {
      const rest = showInvisible(original)
        .replaceAll('\r\n', '\n')
        .replace(/\p{RGI_Emoji}/gv, '')
        .replace(/(?<=[\u0600-\u0DFF])[\u200C\u200D](?=[\p{L}\p{M}])/gu, '');
      expect(rest).not.toMatch(/[\p{DI}[\p{Cc}--[\n\t]]]/v);
    }),
    { numRuns: 5_000 },
  );
});
