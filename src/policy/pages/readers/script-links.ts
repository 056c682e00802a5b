import { posix } from 'node:path';
import { isHiddenFile } from '../../hide-secrets.ts';
import type { Findings } from '../page-code.ts';
import { isScriptAddress } from './html/attributes.ts';
import { decodeEntities } from './html/entities.ts';
import { addInclude } from './includes.ts';

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
    // A line that goes on may be indented.
    const address = decodeEntities(written)
      .replaceAll('\\', '')
      .replace(/\n[ \t]{1,99}/g, '');
    if (isScriptAddress(address)) findings.add('address', address);
  }
}

/** Behind these marks of Markdown and HTML, a path may stand; one with blanks in quotes or angle brackets. */
const target =
  /(?:\]\(|\]:|<(?=(?:path|project):)|\b(?:src(set)?|href|poster|data|file)\s{0,9}=)(?=[\s<"'\\]{0,99}([^\s"'<>()]{1,300}))(?=\s{0,9}(?:["'<]([^"'<>\n]{1,2000}))?)/gi;
const decoded: Record<string, string> = { '2e': '.', '2f': '/', '5c': '/' };

/** Files that a build copies into the site because a link or an image names them: none that is hidden, or outside of the repository. */
export function scanCopiedFiles(findings: Findings, text: string, path: string): void {
  for (const [, set, bare = '', quoted = ''] of text.matchAll(target)) {
    const written = set === undefined ? [quoted] : `${bare} ${quoted}`.split(/[\s,]+/);
    for (const each of new Set([bare, ...written])) if (each !== '') addCopied(findings, each, path);
  }
}

export function addCopied(findings: Findings, written: string, path: string): void {
  const address = decodeEntities(written)
    .replace(/%(2e|2f|5c)/gi, (all, code: string) => decoded[code.toLowerCase()] ?? all)
    .replace(/\\(?=[\W_])/g, '')
    .replaceAll('\\', '/');
  if (/^(?!(?:file|path|project):)[a-z][a-z0-9+.-]*:|^\/\/|^#/i.test(address)) return;
  const file = address.replace(/^(?:path|project):|[?#].*$/gis, '');
  // Vite puts such a file into the page; webpack loads what stands before a mark.
  const isRead = /[?&](?:raw|url|(?:no-)?inline|import|init|react|(?:shared)?worker)(?=[&#]|$)|!/.test(address);
  if (isRead || isHiddenFile(file) || posix.join(posix.dirname(path), file).startsWith('..'))
    addInclude(findings, 'link', file);
}
