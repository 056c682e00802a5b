import type { Findings } from '../page-code.ts';
import { addFile, addInclude } from './includes.ts';

/** Graphviz puts addresses together of pieces, over lines, and of character references. */
const graphAddress =
  /\b\w{0,9}(?:url|href)\s{0,9}=(?!\s{0,9}(?:"(?:https?:\/\/|[\w./#-])[^"\\&:]*(?::\d[^"\\&:]*)?"(?!\s*\+)|[\w.]+[\s,;\]]))/gi;
const graphFile = /\b(?:image(?:path)?|shapefile|fontpath|stylesheet|src)\s{0,9}=\s{0,9}["']?([^"'\s,;\]>]{1,300})/gi;
/** Mermaid runs functions of the page, and follows any address where the site says so. */
const plainClick =
  /^\s*(?:click|link)\s+[\w-]+\s+(?:href\s+)?"(?:https?:\/\/|[/.\w-]*(?=[?#"]))[^"#]*(?:#[\w-]*)?"[^"]*(?:"[^"]*"[^"]*)?$/;
const plantFile =
  /^[ \t]{0,99}!(?:include\w{0,9}|import|theme|docs|adrs|plugin|script)[ \t]{1,99}(?!<)"?([^\s"]{1,500})/gm;
const plantCall = /%(?:getenv|load_json|get_json|file_exists)\b[^\n]{0,200}|\[\[\s*"?(?:java|vb)script:[^\n]{0,200}/gi;

/** A drawing that links, runs or reads more than it shows; `language` of its block. */
export function scanDrawing(findings: Findings, language: string, body: string): void {
  // https://github.com/AVATEAM-IT-SYSTEMHAUS/mkdocs-kroki-plugin
  if (language.includes('kroki'))
    for (const [, file = ''] of body.matchAll(/@from_file:([^\s@]{1,300})/g)) addInclude(findings, '@from_file', file);
  if (/^(?:graphviz|dot|digraph|graph)\b/.test(language)) {
    for (const { 0: mark, index } of body.matchAll(graphAddress))
      findings.add('address', body.slice(index, index + mark.length + 80));
    for (const [, file = ''] of body.matchAll(graphFile)) addFile(findings, file);
  } else if (/\bmermaid\b/.test(language)) {
    for (const line of body.split('\n'))
      if (/^\s*(?:click|links?|callback)\s+\S+\s+\S/.test(line) && !plainClick.test(line))
        findings.add('event', line.trim());
  } else if (/plantuml|\bp?uml\b|\bditaa\b/.test(language)) {
    for (const [, file = ''] of body.matchAll(plantFile)) addFile(findings, file);
    for (const [call] of body.matchAll(plantCall)) findings.add('directive', call);
  }
}
