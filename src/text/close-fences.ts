import { closesFence, countColumns, type Fence, findFence } from './markdown-code.ts';

/** `certain`: code in every renderer. `code`: code in some renderers only. */
export interface MarkdownLine {
  text: string;
  kind: 'prose' | 'code' | 'certain';
}

const maxIndent = 16;
/** With this much indentation, a fence outside of lists is text in every renderer. */
const textIndent = 4;

/** Closes an open code block. No line gets less indentation than its fence, so that list nesting, which is not parsed, does not matter. */
export function closeFences(text: string): MarkdownLine[] {
  const lines: MarkdownLine[] = [];
  let fence: Fence | undefined;
  for (const line of text.split('\n')) {
    if (fence !== undefined) {
      const isEnd = closesFence(line, fence);
      lines.push({ text: isEnd ? closingOf(fence) : indentTo(line, fence.indent), kind: kindOf(fence) });
      if (isEnd) fence = undefined;
      continue;
    }
    fence = findNearFence(line);
    if (fence === undefined) {
      lines.push({ text: line, kind: 'prose' });
      continue;
    }
    // Only 1 interrupts a paragraph. After another number the fence would be text, and the closing fence would open a block.
    const isText = fence.mark !== undefined && /^\d/.test(fence.mark) && lines.at(-1)?.text.trim();
    if (isText) lines.push({ text: '', kind: 'prose' });
    lines.push({ text: line, kind: kindOf(fence) });
  }
  if (fence !== undefined) lines.push({ text: closingOf(fence), kind: kindOf(fence) });
  return lines;
}

function findNearFence(line: string): Fence | undefined {
  const fence = findFence(line);
  return fence && fence.indent < maxIndent ? fence : undefined;
}

const kindOf = ({ indent }: Fence) => (indent === 0 ? 'certain' : 'code');

function closingOf({ run, indent, mark }: Fence): string {
  return ' '.repeat(mark === undefined ? indent : Math.max(indent, textIndent)) + run;
}

function indentTo(line: string, indent: number): string {
  const text = line.trimStart();
  const space = line.slice(0, line.length - text.length);
  return text === '' || countColumns(space) >= indent ? line : ' '.repeat(indent) + text;
}
