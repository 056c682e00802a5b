import { isInvisible, replaceInvisible } from './invisible.ts';

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
