/**
 * Whether no mark of code or formulas stands above a place in its paragraph, in text without what is clearly code: behind such a mark, a tag
 * may be none, and its quotes hide nothing. A fence that is not clearly code goes on behind blank lines. Places are asked in their order.
 */
export function createMarkTest(text: string, marks: '`' | '`$'): (at: number) => boolean {
  const fence = /`{3}|~{3}/.exec(text)?.index ?? Infinity;
  const found = text.matchAll(marks === '`' ? /\n[^!-\uffff\n]*(?=\n)|`/g : /\n[^!-\uffff\n]*(?=\n)|[`$]/g);
  let next = found.next();
  let isOpen = false;
  return (at) => {
    for (; !next.done; next = found.next()) {
      const { index, 0: mark } = next.value;
      const isBlankLine = mark.startsWith('\n');
      if (at <= index + (isBlankLine ? mark.length : 0)) break;
      isOpen = !isBlankLine;
    }
    return !isOpen && at <= fence;
  };
}
