import { collapse, type Findings } from '../../page-code.ts';
import { listBraces } from '../braces.ts';
import { isData } from '../is-data.ts';

/** `{ … }` in text, as Svelte has it. */
export function scanBraces(findings: Findings, text: string): void {
  for (const { inside } of listBraces(text, '{', '}')) {
    const source = inside.trim();
    const isComment = source.startsWith('/*') && source.indexOf('*/') === source.length - 2;
    if (source !== '' && !isComment && !isData(source)) findings.add('expression', `{${collapse(source)}}`);
  }
}
