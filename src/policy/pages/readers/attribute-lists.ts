import type { Findings } from '../page-code.ts';
import { readElement } from './attributes.ts';
import { listBraces } from './braces.ts';
import { readVueAttributes } from './vue.ts';

/**
 * Attribute lists of Markdown, which end in the element before them: `{ #id .class onclick="…" }` of Python-Markdown, markdown-it-attrs
 * and Pandoc, `{: … }` of kramdown.
 */
export function readAttributeLists(findings: Findings, text: string, { vue }: { vue: boolean }): void {
  for (const { inside: list } of listBraces(text, '{', '}')) {
    if (list.startsWith('::')) findings.add('directive', `{${list}}`);
    if (!list.includes('=') && !vue) continue;
    const attributes = parseList(list);
    readElement(findings, { tag: null, attributes: attributes.filter(([name]) => isDangerous(name)) });
    if (vue) readVueAttributes(findings, attributes);
  }
}

/** Names of a list that are no attribute of HTML are prose in braces. */
const isDangerous = (name: string): boolean =>
  /^(on[a-z]+|href|src|srcdoc|action|formaction|data|style|xlink:href)$/i.test(name);

function parseList(list: string): (readonly [string, string])[] {
  const found = list.matchAll(/([^\s"'=<>{}]+)(?:=(?:"([^"]*)"|'([^']*)'|([^\s"'{}]*)))?/g);
  return Array.from(found, ([, name = '', double, single, bare]) => [name, double ?? single ?? bare ?? ''] as const);
}
