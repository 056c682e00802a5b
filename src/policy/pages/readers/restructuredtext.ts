import type { Findings } from '../page-code.ts';
import { isScriptAddress } from './attributes.ts';
import { readDirective } from './directives.ts';

const codeBlocks = new Set([
  'code',
  'code-block',
  'sourcecode',
  'highlight',
  'parsed-literal',
  'math',
  'productionlist',
]);

/** Line by line: every directive but those in a code block. A literal block (`::`) hides none: only docutils tells it from a quotation. */
export function readRestructuredText(findings: Findings, text: string): void {
  const lines = text.split(/\r\n|[\r\n]/);
  for (let at = 0; at < lines.length; at += 1) {
    const line = lines[at] ?? '';
    const found = /^(\s*(?:[-*+]\s+|#\.\s+)*)\.\.\s+(?:\|[^|]*\|\s+)?([\w][\w:.+-]*?)\s*::(?:\s+(.*))?$/s.exec(line);
    if (found === null) {
      readLine(findings, line);
      continue;
    }
    const [, indent = '', name = '', argument = ''] = found;
    const end = findBodyEnd(lines, at, indent.length);
    readDirective(findings, { name, argument, body: lines.slice(at + 1, end).join('\n') });
    const startsBlock = at === 0 || lines[at - 1]?.trim() === '';
    if (codeBlocks.has(name.toLowerCase()) && startsBlock) at = end - 1;
  }
}

function findBodyEnd(lines: readonly string[], start: number, indent: number): number {
  let end = start + 1;
  while (end < lines.length && (lines[end]?.trim() === '' || (lines[end]?.search(/\S/) ?? 0) > indent)) end += 1;
  return end;
}

/** Targets of links: `text <address>`_, `.. _name: address`, and those of images. */
function readLine(findings: Findings, line: string): void {
  findings.addAddresses(line);
  for (const [, address = ''] of line.matchAll(/(?:<|_[^:`_]*:\s+|:target:\s+)([^<>\s]+)/g)) {
    if (isScriptAddress(address)) findings.add('address', address);
  }
}
