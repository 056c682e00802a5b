import { parse, postprocess, preprocess } from 'micromark';
import { gfm } from 'micromark-extension-gfm';
import { normalizeIdentifier } from 'micromark-util-normalize-identifier';
import { type Token, Tokenizer } from 'parse5';
import { withoutInvisible } from './invisible.ts';
import { withoutMarkup, withoutUnseenHtml } from './unseen-html.ts';

/** Removing a part may make another: `<!<!-- a -->-- b -->`. Nobody needs more rounds. */
const maxRounds = 4;

/** Removes the parts of Markdown that people do not see on GitHub, because they could hide instructions. Idempotent. */
export function stripHidden(text: string): string {
  let shown = withoutInvisible(text);
  for (let round = 0; round < maxRounds; round += 1) {
    const next = replaceParts(shown);
    if (next === shown) return shown;
    shown = next;
  }
  return withoutMarkup(shown);
}

function replaceParts(text: string): string {
  const kept: string[] = [];
  let end = 0;
  for (const { from, to, by } of findHiddenParts(text)) {
    if (from < end) continue;
    kept.push(text.slice(end, from), by);
    end = to;
  }
  return kept.join('') + text.slice(end);
}

/** What replaces a part of a text; by default nothing. */
interface Part {
  from: number;
  to: number;
  by: string;
}

interface Place {
  type: string;
  from: number;
  to: number;
  isQuoted: boolean;
}

const whole = new Set(['resourceTitle', 'definitionTitle']);
/** They only connect a link to its definition, or a footnote to its text: readers see none of them, or a number. */
const labels = new Set([
  'referenceString',
  'definitionLabelString',
  'gfmFootnoteCallString',
  'gfmFootnoteDefinitionLabelString',
]);

/**
 * The parts of Markdown that GitHub does not show: HTML comments, attributes, titles, the text of images, unused definitions, and labels that
 * only lead to one (they become numbers). Code is shown. In order; parts may overlap. Some texts take quadratic time: for a thread.
 */
function findHiddenParts(text: string): Part[] {
  const events = postprocess(
    parse({ extensions: [gfm()] })
      .document()
      .write(preprocess()(text, undefined, true)),
  );
  const places: Place[] = [];
  const open: string[] = [];
  /** Labels that readers see as the text of a link, and those that only lead to a definition or a footnote. */
  const shown = new Set<string>();
  const unseen = new Set<string>();
  for (const [kind, { type, start, end }] of events) {
    if (kind === 'exit') {
      open.pop();
      continue;
    }
    const isAlternative = type === 'labelText' && open.lastIndexOf('image') > open.lastIndexOf('link');
    const place = {
      type: isAlternative ? 'alternative' : type,
      from: start.offset,
      to: end.offset,
      isQuoted: open.includes('blockQuote'),
    };
    const label = normalizeIdentifier(text.slice(place.from, place.to));
    if (place.type === 'labelText') shown.add(label);
    if (place.type === 'referenceString' || place.type === 'gfmFootnoteCallString') unseen.add(label);
    places.push(place);
    open.push(type);
  }
  const numbers = numberLabels(
    [...unseen].filter((label) => !shown.has(label)),
    shown,
  );
  return places.flatMap((place) => hide(place, { text, shown, numbers }));
}

/** A number stays as it is. The others get the first that are free. */
function numberLabels(labels: readonly string[], taken: ReadonlySet<string>): Map<string, string> {
  const isNumber = (label: string) => /^[1-9]\d{0,3}$/.test(label);
  const numbers = new Map(labels.filter(isNumber).map((label) => [label, label]));
  let next = 1;
  for (const label of labels) {
    if (numbers.has(label)) continue;
    while (numbers.has(String(next)) || taken.has(String(next))) next += 1;
    numbers.set(label, String(next));
    next += 1;
  }
  return numbers;
}

function hide(
  { type, from, to, isQuoted }: Place,
  { text, shown, numbers }: { text: string; shown: ReadonlySet<string>; numbers: ReadonlyMap<string, string> },
): Part[] {
  const source = text.slice(from, to);
  if (type === 'alternative') return [{ from, to, by: '' }];
  if (whole.has(type)) return [{ from: from - countSpaceBefore(text, from), to, by: '' }];
  if (type === 'htmlFlow' || type === 'htmlText') {
    // The marks of a quotation are no part of its HTML.
    const written = isQuoted ? source.replace(/\n[ \t]*(?:>[ \t]?)+/g, '\n') : source;
    const { html, isOpen } = withoutHiddenHtml(written);
    // An open tag takes what follows into an attribute, whatever Markdown sees there.
    return html === written && !isOpen ? [] : [{ from, to: isOpen ? text.length : to, by: html }];
  }
  if (labels.has(type)) {
    const number = numbers.get(normalizeIdentifier(source));
    return number === undefined || number === source ? [] : [{ from, to, by: number }];
  }
  if (type === 'definition' || type === 'gfmFootnoteDefinition') {
    const label = /^\[\^?((?:[^[\]\\]|\\[\s\S])*)\]:/.exec(source)?.[1] ?? '';
    const name = normalizeIdentifier(label);
    const isShown = (shown.has(name) || numbers.has(name)) && !/^(?:\/\/|comment|#)$/i.test(label.trim());
    return isShown ? [] : [{ from, to, by: '' }];
  }
  return [];
}

function countSpaceBefore(text: string, at: number): number {
  let start = at;
  while (text[start - 1] === ' ' || text[start - 1] === '\t') start -= 1;
  return at - start;
}

/** Attributes that readers can follow: the target of a link or an image. */
const shownAttributes = new Set(['href', 'src']);
const maxValueLength = 500;

/** A piece of HTML without comments and hidden attributes. `isOpen`: it ends inside a tag. Linear time. */
function withoutHiddenHtml(source: string): { html: string; isOpen: boolean } {
  const seen = withoutUnseenHtml(source);
  const parts: string[] = [];
  let end = 0;
  let isOpen = false;
  const replace = ({ location, tagName }: Token.TagToken, toTag: (name: string) => string) => {
    if (!location) return;
    const tag = seen.slice(location.startOffset, location.endOffset);
    // As it is written: `<Step>` is a component, and the tokenizer calls it `step`.
    const nameAt = tag.startsWith('</') ? 2 : 1;
    parts.push(seen.slice(end, location.startOffset), toTag(tag.slice(nameAt, nameAt + tagName.length)));
    end = location.endOffset;
  };
  const tokenizer = new Tokenizer(
    { sourceCodeLocationInfo: true },
    {
      onStartTag: (token) => {
        if (token.attrs.length > 0) replace(token, (name) => writeTag(name, token));
      },
      onEndTag: (token) => {
        if (token.attrs.length > 0) replace(token, (name) => `</${name}>`);
      },
      onParseError: ({ code }) => {
        if (code === 'eof-in-tag') isOpen = true;
      },
      onComment: () => {},
      onDoctype: () => {},
      onEof: () => {},
      onCharacter: () => {},
      onNullCharacter: () => {},
      onWhitespaceCharacter: () => {},
    },
  );
  tokenizer.write(seen, true);
  const rest = seen.slice(end);
  parts.push(isOpen ? rest.slice(0, rest.lastIndexOf('<')) : rest);
  return { html: parts.join(''), isOpen };
}

function writeTag(name: string, { attrs, selfClosing }: Token.TagToken): string {
  const shown = attrs.filter(
    ({ name, value }) => shownAttributes.has(name) && value.length <= maxValueLength && /^[^\s"<>`]*$/.test(value),
  );
  const written = shown.map((attribute) => `${attribute.name}="${attribute.value}"`);
  return `<${[name, ...written].join(' ')}${selfClosing ? ' /' : ''}>`;
}
