/** A comment that begins a line, outside of code. */
interface Comment {
  text: string;
  /** The lines that it stands on, from 0. */
  first: number;
  last: number;
}

const blocks = [
  { open: '<!--', close: '-->' },
  { open: '{/*', close: '*/' },
  { open: '/*', close: '*/' },
];
/** Of AsciiDoc and JavaScript, of reStructuredText, and the definitions that Markdown uses as comments. */
const lineComment = /^(?:\/\/|\.\. (?![\w:+-]+::)|\[(?:\/\/|comment|_)\]: ?#?|%)(.*)/;
const fence = /^ {0,3}(```|~~~)/;

/** Comments of a page. `hasHashes`: those that begin with `#` count above all else in the file. In linear time. */
export function readComments(lines: readonly string[], { hasHashes }: { hasHashes: boolean }): Comment[] {
  const comments: Comment[] = [];
  const frontMatterEnd = findFrontMatterEnd(lines);
  let fenceMark: string | undefined;
  let isTop = true;
  for (let index = 0; index < lines.length; index += 1) {
    const line = lines[index] ?? '';
    const mark = fence.exec(line)?.[1];
    if (mark !== undefined && (fenceMark === undefined || fenceMark === mark)) {
      fenceMark = fenceMark === undefined ? mark : undefined;
      continue;
    }
    if (fenceMark !== undefined) continue;
    const block = blocks.find(({ open }) => line.trimStart().startsWith(open) && line.indexOf(open) < 4);
    if (block) {
      const last = findClose(lines, index, block);
      comments.push({ text: cutBlock(lines.slice(index, last + 1), block), first: index, last });
      index = last;
      continue;
    }
    const isHash = line.startsWith('#') && ((hasHashes && isTop) || index < frontMatterEnd);
    const own = isHash ? line.replace(/^#+/, '') : lineComment.exec(line)?.[1];
    if (own === undefined) {
      isTop &&= line.trim() === '' || line.startsWith('---');
      continue;
    }
    const before = comments.at(-1);
    if (before?.last === index - 1) Object.assign(before, { text: `${before.text}\n${own}`, last: index });
    else comments.push({ text: own, first: index, last: index });
  }
  return comments;
}

/** The line after the front matter, or 0. */
export function findFrontMatterEnd(lines: readonly string[]): number {
  const mark = lines[0]?.trim();
  if (mark !== '---' && mark !== '+++') return 0;
  return lines.findIndex((line, index) => index > 0 && line.trim() === mark) + 1;
}

/** A comment without an end is one line. */
function findClose(lines: readonly string[], from: number, { open, close }: { open: string; close: string }): number {
  for (let index = from; index < Math.min(lines.length, from + 60); index += 1) {
    const line = lines[index] ?? '';
    const start = index === from ? line.indexOf(open) + open.length : 0;
    if (line.includes(close, start)) return index;
  }
  return from;
}

const cutBlock = (lines: readonly string[], { open, close }: { open: string; close: string }): string => {
  const text = lines.join('\n').trimStart().slice(open.length);
  const end = text.indexOf(close);
  return end === -1 ? text : text.slice(0, end);
};
