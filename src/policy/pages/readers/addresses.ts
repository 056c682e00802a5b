import type { Findings } from '../page-code.ts';
import { isScriptAddress } from './html/attributes.ts';
import { decodeEntities } from './html/entities.ts';

/** Behind these marks of Markdown, and in `<…>`, an address may stand. */
const link = /(?:\]\(|\]:|<)[\s<\\]{0,99}/g;
const mostCharacters = 200;

/** Links of Markdown whose address is a script, in any spelling. */
export function scanScriptLinks(findings: Findings, text: string): void {
  for (const { index, 0: mark } of text.matchAll(link)) {
    // An address may stand within what another mark opens.
    const start = index + mark.length;
    const written = text.slice(start, start + mostCharacters);
    if (!/^[^!-~]*(?:[jvldbf&\\]|pathname:)/i.test(written)) continue;
    const address = decodeEntities(written).replaceAll('\\', '');
    if (isScriptAddress(address)) findings.add('address', address);
  }
}
