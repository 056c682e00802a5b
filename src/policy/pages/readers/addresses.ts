import type { Findings } from '../page-code.ts';
import { isScriptAddress } from './attributes.ts';
import { decodeEntities } from './entities.ts';

/** Behind these marks of Markdown, and in `<…>`, an address may stand. */
const link = /(?:\]\(|\]:|<)[\s<\\]{0,99}([^\n<>]{1,200})/g;

/** Links of Markdown whose address is a script, in any spelling. */
export function readScriptLinks(findings: Findings, text: string): void {
  for (const [, written = ''] of text.matchAll(link)) {
    if (!/[:&]/.test(written)) continue;
    const address = decodeEntities(written).replaceAll('\\', '');
    if (isScriptAddress(address)) findings.add('address', address);
  }
}
