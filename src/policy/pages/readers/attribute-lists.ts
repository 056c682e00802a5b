import type { Findings } from '../page-code.ts';
import { readElement } from './html/attributes.ts';
import { decodeEntities } from './html/entities.ts';
import { readVueAttributes } from './html/vue.ts';

/** Up to the end of the third line: a brace or a quote within a value ends it for some readers only. */
const list = /\{([^{}\n][^\n]*(?:\n[^\n]+){0,2})/g;
/** HTML for kramdown within a line, which is read as HTML anyway. */
const plainHtml = /^::nomarkdown\}[^`$\n{]*\{:\/(?:nomarkdown)?\}/;
const attribute = /([^\s"'=<>{}]*)(?:=(?:"([^"\n]*)"?|'([^'\n]*)'?|([^\s"'{}]*)))?/g;

/**
 * Attribute lists of Markdown, which end in the element before them: `{ #id .class onclick="…" }` of Python-Markdown, markdown-it-attrs
 * and Pandoc, `{: … }` of kramdown.
 */
export function readAttributeLists(findings: Findings, text: string, { vue }: { vue: boolean }): void {
  for (const { 1: written = '' } of text.matchAll(list)) {
    if (written.startsWith('::') && !plainHtml.test(written)) findings.add('directive', `{${written}`);
    if (!written.includes('=') && !(vue && written.includes('@'))) continue;
    const attributes = parseList(written);
    const plain = attributes.map(([name, value]) => [name.replace(/^:/, ''), value] as const);
    readElement(findings, { tag: null, attributes: plain.filter(([name]) => isDangerous(name)) });
    if (vue) {
      const live = attributes.filter(([name]) => /^(?:v-|[:@#.])\w/.test(name));
      readVueAttributes(findings, live);
    }
  }
}

/** Names of a list that are no attribute of HTML are prose in braces. */
const isDangerous = (name: string): boolean =>
  /^(?:on[a-z]+|href|src|srcdoc|srcset|action|formaction|data|style|poster|xlink:href|(?:data-)?(?:hx|x|ng|up|ws|sse|on|phx|wire|v)[-:][\w:.-]+|data-(?:action|controller|signals|effect|init|bind)|_|is)$/i.test(
    name,
  );

function parseList(written: string): (readonly [string, string])[] {
  return Array.from(written.matchAll(attribute), ([, name = '', double, single, bare]) => {
    const value = decodeEntities(double ?? single ?? bare ?? '');
    return [name, value] as const;
  }).filter(([name]) => name !== '');
}
