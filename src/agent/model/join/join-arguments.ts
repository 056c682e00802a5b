import { isObjectText, parseJson } from '../../json.ts';

/**
 * Collects the pieces of a call's arguments. Knows in linear time whether they are a whole object: a parse after each piece would be
 * quadratic.
 */
export function createArguments() {
  const pieces: string[] = [];
  let [depth, length, wholeLength] = [0, 0, 0];
  let [isString, isEscaped] = [false, false];

  function scan(piece: string): void {
    for (let at = 0; at < piece.length && wholeLength === 0; at += 1) {
      const character = piece[at];
      if (isEscaped) isEscaped = false;
      else if (isString && character === '\\') isEscaped = true;
      else if (character === '"') isString = !isString;
      else if (isString) continue;
      else if (character === '{' || character === '[') depth += 1;
      else if (character === '}' || character === ']') {
        depth -= 1;
        if (depth === 0) wholeLength = length + at + 1;
      }
    }
    length += piece.length;
  }

  return {
    /** A text, or an object instead of its text: https://github.com/ggml-org/llama.cpp/pull/13800 */
    add(piece: unknown): void {
      const text = toPiece(piece);
      if (text === '') return;
      scan(text);
      pieces.push(text);
    },
    isEmpty: () => pieces.length === 0,
    isWhole: () => wholeLength > 0,
    /** Whether `piece` is all of this once more. */
    isRepeatedBy(piece: unknown): boolean {
      const text = toPiece(piece);
      return wholeLength > 0 && text.length >= wholeLength && text.trim() === pieces.join('').trim();
    },
    /** Whether `piece` begins with the last piece, as where each piece contains the earlier ones. */
    isExtendedBy: (piece: unknown) => pieces.length > 0 && toPiece(piece).startsWith(pieces.at(-1) ?? ''),
    settle: () => settle(pieces, wholeLength),
  };
}

export const toPiece = (piece: unknown): string =>
  typeof piece === 'string' ? piece : piece === null || piece === undefined ? '' : JSON.stringify(piece);

/** Recognizes arguments that are sent again after their pieces, pieces that each contain the earlier ones, and JSON in JSON. */
function settle(pieces: readonly string[], wholeLength: number): string {
  const joined = pieces.join('');
  if (isObjectText(joined)) return joined;
  const first = joined.slice(0, wholeLength);
  const isRepeated = first !== '' && joined.split(first).every((rest) => rest.trim() === '');
  if (isRepeated && isObjectText(first)) return first;
  const [last = '', previous = ''] = [pieces.at(-1), pieces.at(-2)];
  if (previous !== '' && last.startsWith(previous) && isObjectText(last)) return last;
  const inner = parseJson(joined);
  return typeof inner === 'string' && isObjectText(inner) ? inner : joined;
}
