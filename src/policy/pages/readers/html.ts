import { type DefaultTreeAdapterTypes, parseFragment } from 'parse5';
import type { Findings } from '../page-code.ts';
import { readAttributeLists } from './attribute-lists.ts';
import { readElement } from './attributes.ts';
import { readBraceElement, readBraces } from './brace-expressions.ts';
import type { Dialect } from './dialect.ts';
import { readVueElement, readVueText } from './vue.ts';

export type HtmlDialect = Pick<Dialect, 'vue' | 'braces' | 'components'>;

export const plainHtml: HtmlDialect = { vue: false, braces: false, components: [] };

/**
 * Reads HTML as a browser does; in pages of Vue also the template. `codeMark`: a random attribute of code that was written as Markdown. In a
 * `<code>` element that the page wrote, Markdown continues.
 */
export function readHtml(findings: Findings, html: string, dialect: HtmlDialect, codeMark?: string): void {
  // `<noscript>` holds elements where scripts are off, and text elsewhere: a reader may get either.
  const modes = /<noscript/i.test(html) ? [true, false] : [true];
  for (const scriptingEnabled of modes) {
    readNodes(
      findings,
      parseFragment(html, { scriptingEnabled, sourceCodeLocationInfo: dialect.vue || dialect.braces }),
      { html, dialect, codeMark },
    );
  }
}

interface Place {
  node: DefaultTreeAdapterTypes.Node;
  /** Code of Markdown, in which Vue still looks for its template. */
  isCode: boolean;
  /** Vue leaves it alone. */
  isPlain: boolean;
}

interface Reading {
  html: string;
  dialect: HtmlDialect;
  codeMark: string | undefined;
}

/** A list, not recursion: hostile pages nest deeply. */
function readNodes(findings: Findings, root: DefaultTreeAdapterTypes.Node, { html, dialect, codeMark }: Reading): void {
  const { vue, braces } = dialect;
  const open: Place[] = [{ node: root, isCode: false, isPlain: false }];
  for (let place = open.pop(); place !== undefined; place = open.pop()) {
    const { node, isCode, isPlain } = place;
    if ('value' in node) {
      if (vue && !isPlain) readVueText(findings, node.value);
      if (braces && !isCode) readBraces(findings, node.value);
      if (!braces && !isCode) readAttributeLists(findings, node.value, { vue });
    }
    if ('tagName' in node) {
      const attributes = readNode(findings, node);
      const element = { tag: findWritten(node, html), attributes };
      if (vue && !isPlain) readVueElement(findings, element, dialect);
      if (braces) readBraceElement(findings, element, dialect);
    }
    const names = 'attrs' in node ? node.attrs.map(({ name }) => name) : [];
    const inside = {
      isCode: isCode || (codeMark !== undefined && names.includes(codeMark)),
      isPlain: isPlain || names.includes('v-pre'),
    };
    const children = 'content' in node ? [node.content] : 'childNodes' in node ? node.childNodes : [];
    for (const child of children) open.push({ node: child, ...inside });
  }
}

/** Returns the attributes. */
function readNode(findings: Findings, { tagName: tag, attrs, childNodes }: DefaultTreeAdapterTypes.Element) {
  const attributes = attrs.map(({ prefix, name, value }) => [prefix ? `${prefix}:${name}` : name, value] as const);
  readElement(findings, { tag, attributes });
  if (tag === 'script' || tag === 'style') {
    const text = childNodes.map((child) => ('value' in child ? child.value : '')).join('');
    const source = attributes.find(([name]) => /(^|:)(src|href)$/.test(name))?.[1];
    findings.add(tag, [...(source === undefined ? [] : [`src="${source}"`]), text].join(' '), {
      ...(source === undefined && text.trim() === '' && { clue: `<${tag}` }),
    });
    findings.addAddresses(text);
  }
  return attributes;
}

/** The tag as written: its letter case marks a component of Vue. */
function findWritten({ tagName, sourceCodeLocation }: DefaultTreeAdapterTypes.Element, html: string): string {
  const start = sourceCodeLocation?.startOffset;
  return start === undefined ? tagName : html.slice(start + 1, start + 1 + tagName.length);
}
