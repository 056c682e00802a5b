import { type DefaultTreeAdapterTypes, parseFragment } from 'parse5';
import type { Findings } from '../page-code.ts';
import { readAttributeLists } from './attribute-lists.ts';
import { readElement } from './attributes.ts';
import { readBraceElement, readBraceText } from './brace-expressions.ts';
import type { Dialect } from './dialect.ts';
import { readVueElement, readVueText } from './vue.ts';

export type HtmlDialect = Pick<Dialect, 'vue' | 'braces' | 'components'>;

export const plainHtml: HtmlDialect = { vue: false, braces: false, components: [] };

/** HTML as a browser reads it; in Vue's pages also the template. Code that was written as Markdown has the attribute `v-pre`. */
export function readHtml(findings: Findings, html: string, dialect: HtmlDialect): void {
  // Where scripts are off, what `<noscript>` holds is elements, and elsewhere text: either may be what a reader gets.
  const modes = /<noscript/i.test(html) ? [true, false] : [true];
  for (const scriptingEnabled of modes) {
    readNodes(
      findings,
      parseFragment(html, { scriptingEnabled, sourceCodeLocationInfo: dialect.vue || dialect.braces }),
      html,
      dialect,
    );
  }
}

interface Place {
  node: DefaultTreeAdapterTypes.Node;
  isCode: boolean;
}

/** A list, not recursion: hostile pages nest deeply. */
function readNodes(findings: Findings, root: DefaultTreeAdapterTypes.Node, html: string, dialect: HtmlDialect): void {
  const { vue, braces } = dialect;
  const open: Place[] = [{ node: root, isCode: false }];
  for (let place = open.pop(); place !== undefined; place = open.pop()) {
    const { node, isCode } = place;
    if ('value' in node && !isCode) {
      if (vue) readVueText(findings, node.value);
      if (braces) readBraceText(findings, node.value);
      else readAttributeLists(findings, node.value, { vue });
    }
    if ('tagName' in node) {
      const attributes = readNode(findings, node);
      const element = { tag: findWritten(node, html), attributes };
      if (vue && !isCode) readVueElement(findings, element, dialect);
      if (braces) readBraceElement(findings, element, dialect);
    }
    const isInert = isCode || ('tagName' in node && isCodeElement(node, vue));
    const children = 'content' in node ? [node.content] : 'childNodes' in node ? node.childNodes : [];
    for (const child of children) open.push({ node: child, isCode: isInert });
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

const isCodeElement = ({ tagName, attrs }: DefaultTreeAdapterTypes.Element, vue: boolean): boolean =>
  vue ? attrs.some(({ name }) => name === 'v-pre') : tagName === 'code' || tagName === 'pre';

/** The tag in its letter case, which tells a component of Vue. */
function findWritten({ tagName, sourceCodeLocation }: DefaultTreeAdapterTypes.Element, html: string): string {
  const start = sourceCodeLocation?.startOffset;
  return start === undefined ? tagName : html.slice(start + 1, start + 1 + tagName.length);
}
