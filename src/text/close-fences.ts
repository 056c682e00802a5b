import { closesFence, countColumns, type Fence, findFence } from './markdown-code.ts';

/** A line of Markdown. `certain`: in a block that every renderer takes for code; `code`: only some may. */
export interface MarkdownLine {
  text: string;
  kind: 'prose' | 'code' | 'certain';
}

/** A fence further from the margin is taken for text, so that little indentation is ever added to a line. */
const maxIndent = 16;
/** Outside of lists, no renderer takes a line with this much indentation for a fence. */
const textIndent = 4;

/**
 * The lines of a text that has no raw HTML, written so that no block of code swallows what stands behind the text: an open one is closed at
 * its end. We do not follow how lists nest, so a block that may be inside of one is written to mean the same to renderers that think so and
 * to those that do not: none of its lines stands nearer to the margin than its fence, and the fence that closes it stands where it can open
 * no other. Indentation that is added does not show, because that of the fence is taken off.
 */
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
    // Only 1 interrupts a paragraph: any other number would be part of it, and what closes the block would open one.
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

/** A fence at the margin is in no list. */
const kindOf = ({ indent }: Fence) => (indent === 0 ? 'certain' : 'code');

function closingOf({ run, indent, mark }: Fence): string {
  return ' '.repeat(mark === undefined ? indent : Math.max(indent, textIndent)) + run;
}

function indentTo(line: string, indent: number): string {
  const text = line.trimStart();
  const space = line.slice(0, line.length - text.length);
  return text === '' || countColumns(space) >= indent ? line : ' '.repeat(indent) + text;
}
