import type { Findings } from '../page-code.ts';
import { scanElement } from './html/attributes.ts';
import { decodeEntities } from './html/entities.ts';
import { scanVueAttributes } from './html/vue.ts';

/** Each, also those that another reader sees within a value. */
const attribute =
  /(?<![^\s"'<>=/{}(),;`])["']?([^\s"'<>=/{}(),;`]{1,100})["']?\s{0,9}=(?=\s{0,9}(?:"([^"\n]{0,500})|'([^'\n]{0,500})|([^\s"'{}]{0,500})))/g;
/** Vue reads what has the name. */
const shorthand = /(?<![\w.-])(?::|v-bind:)[\w.-]{1,99}(?![\w.=-]|\s{1,9}=)/g;
/** Its name is an expression. */
const computed = /(?<=[\s{])(?:[:@#.]|v-[\w:-]{1,40})\[[^\n]{0,200}/g;
const braced = /\{[^\n]*/g;
const extension = /\{::[^\n]*/g;
/** HTML for kramdown within a line, which is read as HTML anyway. */
const plainHtml = /^\{::nomarkdown\}(?:[^`$\n{]|\{\{[^{}\n]*\}\})*\{:\/(?:nomarkdown)?\}/;

/**
 * Attribute lists of Markdown, which end in the element before them: `{ #id .class onclick="…" }` of Python-Markdown, markdown-it-attrs
 * and Pandoc, `{: … }` of kramdown.
 */
export function scanAttributeLists(
  findings: Findings,
  text: string,
  { vue, mdc = false }: { vue: boolean; mdc?: boolean },
): void {
  for (const [written] of text.includes('{::') ? text.matchAll(extension) : [])
    if (!plainHtml.test(written)) findings.add('directive', written);
  for (const part of text.includes('{') ? text.split(/\n[ \t]*\n/) : []) {
    // A brace or a quote within a value ends it for some readers only, a line for others.
    const start = part.indexOf('{');
    if (start === -1 || (!vue && !part.includes('=', start))) continue;
    const written = part.slice(start);
    const attributes = Array.from(
      written.matchAll(attribute),
      ([, name = '', double, single, bare]) => [name, decodeEntities(double ?? single ?? bare ?? '')] as const,
    );
    const plain = attributes.map(([name, value]) => [name.replace(/^:/, ''), value] as const);
    scanElement(findings, { tag: null, attributes: plain.filter(([name]) => isDangerous(name)) });
    if (!vue && !mdc) continue;
    for (const [name] of vue ? written.matchAll(computed) : []) findings.add('template', name);
    // In MDC, a component in text is written like a name alone.
    const alone = Array.from(vue ? written.matchAll(braced) : [], ([list]) =>
      Array.from(list.matchAll(shorthand), ([name]) => [name, ''] as const),
    );
    scanVueAttributes(findings, [...attributes.filter(([name]) => /^(?:v-|[:@#.])./.test(name)), ...alone.flat()]);
  }
}

/** Names of a list that are no attribute of HTML are prose in braces. */
const isDangerous = (name: string): boolean =>
  /^(?:on[a-z]+|href|src|srcdoc|srcset|action|formaction|data|style|poster|xlink:href|(?:data-)?(?:hx|x|ng|up|ws|sse|on|phx|wire|v)[-:][\w:.-]+|(?:data-)?background-iframe|data-(?:action|controller|signals|effect|init|bind)|_|is)$/i.test(
    name,
  );
