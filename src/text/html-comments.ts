const opening = '<!--';
const closing = '-->';

/**
 * The text without its HTML comments, also without those that taking one out would make; one that never ends goes to the end of the
 * text. Takes linear time, whatever the text.
 */
export function withoutComments(text: string): string {
  const kept: string[] = [];
  for (let at = 0; at < text.length; at += 1) {
    kept.push(text.charAt(at));
    if (!endsWith(kept, opening)) continue;
    kept.length -= opening.length;
    const end = text.indexOf(closing, at + 1);
    if (end < 0) break;
    at = end + closing.length - 1;
  }
  return kept.join('');
}

/** The text without the marks of HTML comments, also without those that taking one out would make. */
export function withoutMarks(text: string): string {
  const kept: string[] = [];
  for (const character of text) {
    kept.push(character);
    const mark = [opening, closing].find((candidate) => endsWith(kept, candidate));
    if (mark) kept.length -= mark.length;
  }
  return kept.join('');
}

function endsWith(characters: string[], mark: string): boolean {
  const start = characters.length - mark.length;
  return start >= 0 && characters.at(-1) === mark.at(-1) && characters.slice(start).join('') === mark;
}
