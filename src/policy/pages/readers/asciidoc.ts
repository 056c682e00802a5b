import type { Findings } from '../page-code.ts';
import { readElement, readTarget } from './attributes.ts';
import { plainHtml, readHtml } from './html.ts';
import { addInclude } from './templates.ts';

const fence = /^(-{4,}|\.{4,}|={4,}|\*{4,}|_{4,}|\/{4,}|`{3,}|\+{4,}|--)\s*$/;

/** AsciiDoc, line by line. Files are included in code blocks too; passthroughs reach the browser as they are. */
export function readAsciiDoc(findings: Findings, text: string): void {
  let open: string | undefined;
  let passed: string[] = [];
  for (const line of text.split(/\r\n|[\r\n]/)) {
    const include = /^(\\?)include::([^[]*)\[/.exec(line);
    if (include && include[1] === '') addInclude(findings, 'include::', include[2] ?? '');
    const mark = fence.exec(line)?.[1];
    if (open === undefined && mark !== undefined && /^[-.+/`]{3}/.test(mark)) {
      open = mark;
      passed = [];
    } else if (open !== undefined && mark === open) {
      if (open.startsWith('+')) readPassed(findings, passed.join('\n'));
      open = undefined;
    } else if (open === undefined) readLine(findings, line);
    else passed.push(line);
  }
  // A block that is never closed ends with the page.
  if (open?.startsWith('+')) readPassed(findings, passed.join('\n'));
}

/** In an attribute, or without a space behind it: `JavaScript: the basics` is prose. */
const codeAddress = /(?:link=|^:[\w-]+:)["'\s]*(?:javascript|vbscript)\s*:|\b(?:javascript|vbscript):(?=\S)/i;

function readLine(findings: Findings, line: string): void {
  const shown = line.replace(/(^|[^\w`])`\+[^`]*\+`/g, '$1');
  findings.addAddresses(shown);
  for (const [macro] of shown.matchAll(/(?<![^\s[])[^\s[]+(?=\[)/g)) {
    const link = /(?:link|xref|image|video|audio|iframe):{1,2}(.+)/s.exec(macro)?.[1]?.replaceAll('+', '');
    if (link !== undefined) readElement(findings, { tag: null, attributes: [['href', link]] });
  }
  if (codeAddress.test(shown)) findings.add('address', shown);
  const video = /^video::([^[]*)\[(?:youtube|vimeo|wistia)/.exec(line);
  if (video) readTarget(findings, 'frame', `https://${/youtube|vimeo|wistia/.exec(line)?.[0]}.com`);
  if (/(^|[^\\\w])pass:[a-z,]*\[|\+\+\+|^\[pass|^[[:].*subs=/.test(shown)) findings.add('html', shown);
  if (/^(ifeval|eval|load|plantuml|ditaa)::.*\[/.test(shown)) findings.add('directive', shown);
}

function readPassed(findings: Findings, html: string): void {
  readHtml(findings, html, plainHtml);
}
