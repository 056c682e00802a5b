import { withoutInvisible } from './invisible.ts';

const commentOpening = '<!--';
const commentClosing = '-->';

/** Markup that browsers do not show. https://spec.commonmark.org/0.31.2/#raw-html */
interface Unseen {
  opening: RegExp;
  closing: string;
}

const comment: Unseen = { opening: /<!--$/, closing: commentClosing };
const unseen: Unseen[] = [
  comment,
  { opening: /<\?$/, closing: '?>' },
  { opening: /<![a-z]$/i, closing: '>' },
  { opening: /<!\[CDATA\[$/, closing: ']]>' },
];
const longestOpening = 9;

/** Also removes pieces that form when another is removed. An open comment reaches to the end. `<!-->` is a whole comment. Linear time. */
export function withoutUnseenHtml(text: string): string {
  const kept: string[] = [];
  for (let at = 0; at < text.length; at += 1) {
    const character = text.charAt(at);
    kept.push(character);
    if (!/[-?[a-z]/i.test(character)) continue;
    const tail = kept.slice(-longestOpening).join('');
    const piece = unseen.find(({ opening }) => opening.test(tail));
    if (piece === undefined) continue;
    kept.length -= piece.opening.exec(tail)?.[0].length ?? 0;
    const end = findEnd(piece, text, at + 1);
    if (end === undefined) break;
    at = end - 1;
  }
  return kept.join('');
}

function findEnd(piece: Unseen, text: string, from: number): number | undefined {
  if (piece === comment) {
    const abrupt = ['>', '->'].find((closing) => text.startsWith(closing, from));
    if (abrupt !== undefined) return from + abrupt.length;
  }
  const start = text.indexOf(piece.closing, from);
  return start < 0 ? undefined : start + piece.closing.length;
}

/** Also removes delimiters that form when another is removed. */
export function withoutMarks(text: string): string {
  const kept: string[] = [];
  for (const character of text) {
    kept.push(character);
    const mark = [commentOpening, commentClosing].find((candidate) => endsWith(kept, candidate));
    if (mark) kept.length -= mark.length;
  }
  return kept.join('');
}

function endsWith(characters: string[], mark: string): boolean {
  const start = characters.length - mark.length;
  return start >= 0 && characters.at(-1) === mark.at(-1) && characters.slice(start).join('') === mark;
}

/** Linear time. The result contains nothing that can hide text. */
export function withoutMarkup(text: string): string {
  return withoutInvisible(text)
    .replace(/<[^>]*>?/g, '')
    .replace(/\]\([^)\n]*\)?/g, ']')
    .replace(/[![\]]/g, '');
}
