import { findAll } from './find-all.ts';

export type Replacement =
  | { kind: 'replaced'; text: string; lines: number[] }
  | { kind: 'not_found' }
  | { kind: 'too_large' }
  | { kind: 'ambiguous'; lines: number[] };

/**
 * Replaces the only occurrence of `oldText`, or every occurrence with `all`. In a file with CRLF line ends, both texts get CRLF, because
 * models write LF. `lines` are the line numbers of the occurrences, from 1. `too_large`: the result would exceed `maxCharacters`.
 */
export function replaceText({
  text,
  oldText,
  newText,
  all,
  maxCharacters,
}: {
  text: string;
  oldText: string;
  newText: string;
  all: boolean;
  maxCharacters: number;
}): Replacement {
  const isCrlf = isAllCrlf(text);
  const target = isCrlf ? toCrlf(oldText) : oldText;
  const replacement = isCrlf ? toCrlf(newText) : newText;
  const places = findAll(text, target);
  if (places.length === 0) {
    return { kind: 'not_found' };
  }
  const lines = lineNumbersOf(text, places);
  if (places.length > 1 && !all) {
    return { kind: 'ambiguous', lines };
  }
  // Checked before building the text: many long replacements can exceed V8's maximum string length.
  if (text.length + places.length * (replacement.length - target.length) > maxCharacters) {
    return { kind: 'too_large' };
  }
  return { kind: 'replaced', text: replaceAt(text, places, { length: target.length, replacement }), lines };
}

function replaceAt(
  text: string,
  places: readonly number[],
  { length, replacement }: { length: number; replacement: string },
): string {
  const parts: string[] = [];
  let end = 0;
  for (const place of places) {
    parts.push(text.slice(end, place), replacement);
    end = place + length;
  }
  return parts.join('') + text.slice(end);
}

function lineNumbersOf(text: string, places: readonly number[]): number[] {
  let line = 1;
  let from = 0;
  return places.map((place) => {
    line += text.slice(from, place).split('\n').length - 1;
    from = place;
    return line;
  });
}

/** True when the text has line breaks and all are CRLF. */
export const isAllCrlf = (text: string): boolean => text.includes('\r\n') && !/(^|[^\r])\n/.test(text);

export const toCrlf = (text: string): string => text.replace(/\r?\n/g, '\r\n');
