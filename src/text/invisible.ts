const ignorable = String.raw`[\p{DI}[\p{Cc}--[\n\t]]\p{Zl}\p{Zp}\uFFF9-\uFFFB]`;

/** An emoji with invisible parts: a presentation selector, tags or joiners. Whether people see one emoji, `isEmoji` says. */
const joinedEmoji = [
  String.raw`[0-9#*]\uFE0F\u20E3|(?=[\p{Emoji}--[0-9#*]]\p{EMod}?[\uFE0F\u200D\u{E0020}-\u{E007E}])`,
  String.raw`\p{Emoji}(?:\p{EMod}|\uFE0F)?(?:[\u{E0020}-\u{E007E}]{1,8}\u{E007F})?`,
  String.raw`(?:\u200D\p{Emoji}(?:\p{EMod}|\uFE0F)?)*`,
].join('');

/** Scripts whose spelling needs joiners: https://www.unicode.org/reports/tr44/#Default_Ignorable_Code_Point */
const joiningScripts = 'Arab Deva Beng Guru Gujr Orya Taml Telu Knda Mlym Sinh';
const joiningLetter = `[[\\p{L}\\p{M}]&&[${joiningScripts
  .split(' ')
  .map((script) => `\\p{scx=${script}}`)
  .join('')}]]`;
const joiner = String.raw`(?<=${joiningLetter})[\u200C\u200D](?=[[\p{L}\p{M}]--\p{DI}])`;

const candidate = new RegExp(`(?<emoji>${joinedEmoji})|(?<joiner>${joiner})|${ignorable}`, 'gv');
const invisible = new RegExp(ignorable, 'gv');
const isEmoji = /^\p{RGI_Emoji}$/v;
const isIgnorable = new RegExp(`^${ignorable}$`, 'v');

/** Replaces characters that nobody sees, one by one. Keeps line feeds, tabs, emoji and joiners that a script needs. Linear time. */
function replaceInvisible(text: string, replace: (character: string) => string): string {
  return text.replace(candidate, (match, emoji: string | undefined, joined: string | undefined) => {
    if (joined !== undefined) return match;
    if (emoji === undefined) return replace(match);
    return isEmoji.test(emoji) ? emoji : emoji.replace(invisible, replace);
  });
}

export function withoutInvisible(text: string): string {
  return replaceInvisible(text.toWellFormed().replace(/\r\n?|[\u2028\u2029]/g, '\n'), () => '');
}

/** Scripts that write no spaces between words, and mark their ends by U+200B; and presentation selectors behind what may be an emoji. */
const writtenInvisibly =
  /(?<=[\p{scx=Thai}\p{scx=Laoo}\p{scx=Khmr}\p{scx=Mymr}])\u200B|(?<=[\p{Emoji}--[0-9#*]])[\uFE0E\uFE0F](?!\p{DI})/vy;
const isPlain = /^[\t\n\r -~]*$/;

/** How often a text has each character that nobody sees, without those that `replaceInvisible` keeps or writing needs. Counts `max` at most. */
export function countInvisible(text: string, max: number): Map<string, number> {
  const counts = new Map<string, number>();
  const lines = text.replaceAll('\r\n', '\n');
  if (isPlain.test(lines) && !lines.includes('\r')) return counts;
  let left = max;
  const count = (character: string, at: number) => {
    writtenInvisibly.lastIndex = at;
    if (writtenInvisibly.test(lines)) return;
    counts.set(character, (counts.get(character) ?? 0) + 1);
    left -= 1;
  };
  for (const { 0: match, 1: emoji, 2: joined, index } of lines.matchAll(candidate)) {
    if (left === 0) break;
    if (emoji === undefined && joined === undefined) count(match, index);
    else if (emoji !== undefined && !isEmoji.test(emoji))
      for (const { 0: character, index: at } of emoji.matchAll(invisible)) count(character, index + at);
  }
  return counts;
}

/** True for a character that `replaceInvisible` may replace, depending on those around it. */
const isInvisible = (character: string): boolean => isIgnorable.test(character);

/** How an invisible character is shown: its code point in brackets that documentation hardly uses. */
const shownForm = /\u27E8U\+([0-9A-F]{4,6})\u27E9/gi;
const bracket = '\u27E8';

/**
 * The text with each invisible character as its shown form, such as `⟨U+200B⟩`. Text that looks like a shown form already gets its bracket
 * shown, `⟨U+27E8⟩U+200B⟩`, so that `readShown` gives back every text exactly. A carriage return before a line feed stays.
 */
export function showInvisible(text: string): string {
  const escaped = text.replace(shownForm, (form, code: string) =>
    decode(code) === undefined ? form : show(bracket) + form.slice(bracket.length),
  );
  return escaped.split('\r\n').map(showInvisibleOnly).join('\r\n');
}

/** For text that nobody reads back: what looks like a shown form already stays, because a person may have written it. */
export const showInvisibleOnly = (text: string): string => replaceInvisible(text, show);

/** The text that `showInvisible` shows: each shown form becomes its character. Works on any part of a shown text that cuts no form. */
export function readShown(text: string): string {
  return text.replace(shownForm, (form, code: string) => decode(code) ?? form);
}

function show(character: string): string {
  const code = character.codePointAt(0) ?? 0;
  return `\u27E8U+${code.toString(16).toUpperCase().padStart(4, '0')}\u27E9`;
}

function decode(code: string): string | undefined {
  const point = Number.parseInt(code, 16);
  if (point > 0x10ffff) return undefined;
  const character = String.fromCodePoint(point);
  return character === bracket || isInvisible(character) ? character : undefined;
}
