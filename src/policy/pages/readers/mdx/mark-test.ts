/**
 * Whether no mark of code or formulas stands above a place in its paragraph, in text without what is clearly code: behind such a mark, a tag
 * may be none, and its quotes hide nothing. A fence that is not clearly code goes on behind blank lines. Places are asked in their order.
 */
export function createMarkTest(text: string, marks: string): (at: number) => boolean {
  const fence = /`{3}|~{3}/.exec(text)?.index ?? Infinity;
  let read = 0;
  let isOpen = false;
  let isBlank = true;
  return (at) => {
    for (; read < at; read += 1) {
      const character = text[read] ?? '';
      if (character === '\n') {
        if (isBlank) isOpen = false;
        isBlank = true;
      } else if (character > ' ') {
        isBlank = false;
        isOpen ||= marks.includes(character);
      }
    }
    return !isOpen && at <= fence;
  };
}
