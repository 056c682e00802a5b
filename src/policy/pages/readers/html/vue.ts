import { collapse, type Findings } from '../../page-code.ts';
import { blankRanges } from '../blank.ts';
import type { Dialect } from '../dialect.ts';
import { isData, listStrings, readData } from '../literals.ts';
import { scanElement } from './attributes.ts';
import { decodeEntities } from './entities.ts';
import { htmlElements } from './shown-attributes.ts';

/** Marks that Markdown takes out, so that what stands around them meets. */
const between = /(\{)[\\*_~=+^`]{1,9}(?=\{)/g;
/** An element with text alone. */
const textElement =
  /(?<!\\)<(span|code|kbd|em|strong|p|div|td|th|li)((?: [\w-]{1,40}(?:="[^"<>\n]{0,200}")?){1,9})>([^<`\n]{0,2000})<\/(span|code|kbd|em|strong|p|div|td|th|li)>/gi;

interface VueText {
  /** Without code. */
  live: string;
  /** Without code blocks. */
  readUnfenced(): string;
  fences: readonly { info: string; body: string }[];
}

/** `{{ … }}` in a page of Vue. Vue reads code blocks whose language ends with `-vue`, and inline code. */
export function scanVueText(findings: Findings, { live, readUnfenced, fences }: VueText, vue: Dialect['vue']): void {
  const texts = [
    withoutPlain(live, readUnfenced(), vue),
    ...fences.flatMap(({ info, body }) => (/-vue\b/.test(info) ? [body] : [])),
  ];
  for (const text of texts) readInterpolations(findings, decodeEntities(text).replace(between, '$1'));
}

/** Without what `v-pre` shows. Where a mark of code is left in a line, its code is not clear, and a tag may be part of it. */
function withoutPlain(live: string, unfenced: string, vue: Dialect['vue']): string {
  if (!live.includes('v-pre') || /<(?:pre|script|style|textarea)\b/i.test(live)) return unfenced;
  const plain = [...listPlainElements(live, vue), ...(vue === 'blocks' ? listPlainBlocks(live) : [])].toSorted(
    ([a], [b]) => a - b,
  );
  return blankRanges(unfenced, plain);
}

/** Marks of Markdown that may end behind the element what begins before it. */
const crossing = /\*(?! )|(?<! )\*|(?<!\w)_|_(?!\w)|~~|\](?:\(|\[)/;

/** Whether a paragraph, without code, has no mark of code. */
function isClear(before: string, after: string): boolean {
  const start = before.lastIndexOf('\n\n');
  const end = after.indexOf('\n\n');
  const isWhole = start !== -1 || before.length < mostCharacters;
  return isWhole && !(before.slice(start + 1) + after.slice(0, end === -1 ? undefined : end)).includes('`');
}

const mostCharacters = 4_000;

type Span = readonly [start: number, end: number];

/** `mounted`: of an element that stands alone, the mark means nothing. */
function* listPlainElements(live: string, vue: Dialect['vue']): Generator<Span> {
  for (const { index, 0: whole, 1: tag = '', 2: attributes = '', 3: text = '', 4: close = '' } of live.matchAll(
    textElement,
  )) {
    const before = live.slice(Math.max(0, index - mostCharacters), index);
    const line = before.slice(before.lastIndexOf('\n') + 1);
    const isInTag = line.lastIndexOf('<') > line.lastIndexOf('>');
    const isPlain =
      (vue !== 'mounted' || /^(?:span|code|kbd|em|strong)$/i.test(tag)) &&
      tag.toLowerCase() === close.toLowerCase() &&
      / v-pre(?: |$)/i.test(attributes.replace(/"[^"]*"/g, ''));
    // Behind four blanks it is code, whose braces Vue reads; in another tag, it is none.
    if (
      isPlain &&
      !isInTag &&
      !/ {4}|\t/.test(line) &&
      !crossing.test(text) &&
      isClear(before, live.slice(index, index + mostCharacters))
    )
      yield [index, index + whole.length];
  }
}

/** `::: v-pre`, behind a blank line, up to the next line of colons. */
function* listPlainBlocks(live: string): Generator<Span> {
  let at = 0;
  let start: number | undefined;
  let before = 'x';
  for (const line of live.split('\n')) {
    if (start === undefined && line.trimEnd() === '::: v-pre' && before.trim() === '') start = at;
    // A mark of code that is not clear may reach behind the end of the block.
    else if (/`{3}|~{3}/.test(line)) start = undefined;
    else if (start !== undefined && /^\s*:::/.test(line)) {
      if (line.trimEnd() === ':::') yield [start, at];
      start = undefined;
    }
    before = line;
    at += line.length + 1;
  }
}

function readInterpolations(findings: Findings, text: string): void {
  let end = 0;
  for (let start = text.indexOf('{{'); start !== -1; start = text.indexOf('{{', end)) {
    const close = text.indexOf('}}', start + 2);
    // What is never closed here may be closed by what a reader makes of it.
    end = close === -1 ? text.length : close + 2;
    const inside = text.slice(start + 2, close === -1 ? start + 200 : close);
    if (close === -1 || !isData(inside))
      findings.add('template', `{{ ${collapse(inside)} }}`, { clue: inside.trim().split(/\s/)[0] ?? '' });
  }
}

interface VueElement {
  tag: string;
  attributes: readonly (readonly [string, string])[];
}

export function scanVueElement(
  findings: Findings,
  { tag, attributes }: VueElement,
  { components, vue }: Pick<Dialect, 'components' | 'vue'>,
): void {
  scanVueAttributes(findings, attributes);
  // It becomes any element or component.
  if (tag.toLowerCase() === 'component')
    findings.add('component', attributes.map(([key, value]) => `${key}="${value}"`).join(' '), {
      clue: `<${tag}`,
      shown: `<${tag}>`,
    });
  else if ((vue === 'mounted' ? /[A-Z-]/.test(tag) : !isElement(tag)) && !components.includes(tag))
    findings.add('component', nameComponent(tag), { clue: `<${tag}`, shown: `<${tag}>` });
}

/** `:attribute`, `@event`, `#slot="…"` and `v-…` hold expressions. https://vuejs.org/api/built-in-directives.html */
export function scanVueAttributes(findings: Findings, attributes: VueElement['attributes']): void {
  for (const [name, value] of attributes) {
    if (!/^(v-|[:@#.])./.test(name)) continue;
    // The name is an expression.
    if (name.includes('[')) findings.add('template', `${name}="${value}"`, { clue: name });
    const data = value === '' ? undefined : readData(value);
    if (value !== '' && data === undefined) findings.add('template', `${name}="${value}"`, { clue: name });
    const [attribute = ''] = name.replace(/^(?:v-bind:?|[:.])/, '').split('.');
    for (const [key, text] of listStrings(data?.value, attribute))
      scanElement(findings, { tag: null, attributes: [[key, text]] });
    if (/^v-/.test(name) && !builtIn.test(name)) findings.add('template', name, { clue: name });
    // An event without a value runs nothing; so does v-bind without one, which reads the name of its attribute.
    if (/^(:|v-bind)/.test(name) && value === '') findings.add('template', name, { clue: name });
  }
}

/** What Vue takes for no component. https://github.com/vuejs/core/blob/main/packages/shared/src/domTagConfig.ts */
const isElement = (tag: string): boolean => htmlElements.has(tag) || graphics.has(tag) || /^fe[A-Z]\w*$/.test(tag);

const graphics = new Set(
  `animate animateMotion animateTransform annotation circle clipPath defs desc ellipse foreignObject g line linearGradient marker mask math
  menclose metadata mfrac mi mn mo mover mpadded mphantom mroot mrow ms mspace msqrt mstyle msub msubsup msup mtable mtd mtext mtr munder
  munderover path pattern polygon polyline radialGradient rect semantics set slot stop switch symbol template text textPath tspan use
  view`.split(/\s+/),
);

const builtIn = /^v-(?:bind|on|slot|text|html|show|if|else|else-if|for|model|pre|once|memo|cloak)(?![\w-])/;

/** One name for all spellings: `<DocBadge>`, `<doc-badge>`. */
export const nameComponent = (tag: string): string => tag.replaceAll('-', '').toLowerCase();
