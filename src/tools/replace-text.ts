export type Replacement =
  | { kind: 'replaced'; text: string; lines: number[] }
  | { kind: 'not_found' }
  | { kind: 'too_large' }
  | { kind: 'ambiguous'; lines: number[] };

/**
 * Replaces the one place where `oldText` stands, or every place with `all`. In a file whose lines end with CRLF, line breaks of both
 * texts are taken as CRLF, because models write LF. `lines` are where the places begin, counted from 1. `too_large`: the result would have
 * more than `maxCharacters`, and is not built.
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
  const wanted = isCrlf ? toCrlf(oldText) : oldText;
  const instead = isCrlf ? toCrlf(newText) : newText;
  const places = findAll(text, wanted);
  if (places.length === 0) {
    return { kind: 'not_found' };
  }
  const lines = lineNumbersOf(text, places);
  if (places.length > 1 && !all) {
    return { kind: 'ambiguous', lines };
  }
  // Before the text is built: many places and a long text in each make more than a string can hold.
  if (text.length + places.length * (instead.length - wanted.length) > maxCharacters) {
    return { kind: 'too_large' };
  }
  return { kind: 'replaced', text: text.split(wanted).join(instead), lines };
}

function findAll(text: string, wanted: string): number[] {
  const places: number[] = [];
  for (let at = text.indexOf(wanted); at !== -1; at = text.indexOf(wanted, at + wanted.length)) {
    places.push(at);
  }
  return places;
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

/** Whether a text has line breaks and all of them are CRLF. */
export const isAllCrlf = (text: string): boolean => text.includes('\r\n') && !/(^|[^\r])\n/.test(text);

export const toCrlf = (text: string): string => text.replace(/\r?\n/g, '\r\n');
