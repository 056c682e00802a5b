import type { Findings } from '../../page-code.ts';
import { scanAttributeLists } from '../attribute-lists.ts';
import type { Dialect } from '../dialect.ts';
import { scanDirective } from '../directives.ts';
import { scanDrawing } from '../drawings.ts';
import { endsAttribute } from '../html/attributes.ts';
import { decodeEntities } from '../html/entities.ts';
import { addFile } from '../includes.ts';

/** Words after the language of a code block that make a build or a browser run it. */
const running =
  /(?:^|[\s,{:.])(live|exec|preview|playground|doc-gen|vue-live|mdx-code-block|pyodide|jupyter|thebe)(?=$|[\s,}=:])/;

/** `{name} argument` of MyST; `{python}` of Quarto and knitr. */
const braced = /^\{([a-z][^}\s=]*)\}(.*)$/is;

/** A code block that does more than show: `info` is the text after the fence, `body` its content. */
export function scanFence(
  findings: Findings,
  { info, body }: { info: string; body: string },
  { titlesCode }: Dialect,
): void {
  const [, name, argument = ''] = braced.exec(info) ?? [];
  if (name !== undefined) scanDirective(findings, { name, argument: argument.trim(), body, isMyst: true });
  else if (running.test(withoutQuotes(info)) && !titlesCode) findings.add('directive', `${info} ${body}`);
  else scanDrawing(findings, info, body);
  // Some write the language into attributes as it is.
  if (/^[^\s{]*["']/.test(info) && endsAttribute(info)) findings.add('event', info);
  // Plugins put a file in place of the code. Some take out all quotes.
  for (const [, quoted = '', bare = ''] of decodeEntities(info).matchAll(
    /(?<![\w-])(?:file|include|import|src)=(?=(?:["']([^"']*)["'])?(\S*))/g,
  ))
    for (const file of [quoted, bare.replace(/["'`{}]/g, '')]) addFile(findings, file);
  if (/^\{[^}]*\.include\b/.test(info)) for (const file of body.split('\n')) addFile(findings, file.trim());
  scanAttributeLists(findings, info, { vue: false });
}

const withoutQuotes = (info: string): string => info.replace(/"[^"]*"|'[^']*'/g, '""');
