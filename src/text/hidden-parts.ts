import { parse, postprocess, preprocess } from 'micromark';
import { gfm } from 'micromark-extension-gfm';
import { normalizeIdentifier } from 'micromark-util-normalize-identifier';
import { withoutHiddenHtml } from './hidden-html.ts';

/** What replaces a part of a text; by default nothing. */
export interface Part {
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

/**
 * What GitHub does not show of Markdown: HTML comments, attributes, titles, the text of images, definitions that nothing refers to. Code is
 * shown. In order; parts may overlap. Some texts take quadratic time: for a thread.
 */
export function findHiddenParts(text: string): Part[] {
  const events = postprocess(
    parse({ extensions: [gfm()] })
      .document()
      .write(preprocess()(text, undefined, true)),
  );
  const places: Place[] = [];
  const open: string[] = [];
  const used = new Set<string>();
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
    if (type === 'labelText' || type === 'referenceString' || type === 'gfmFootnoteCallString') {
      used.add(normalizeIdentifier(text.slice(place.from, place.to)));
    }
    places.push(place);
    open.push(type);
  }
  return places.flatMap((place) => hide(place, { text, used }));
}

function hide(
  { type, from, to, isQuoted }: Place,
  { text, used }: { text: string; used: ReadonlySet<string> },
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
  if (type === 'definition' || type === 'gfmFootnoteDefinition') {
    const label = /^\[\^?((?:[^[\]\\]|\\[\s\S])*)\]:/.exec(source)?.[1] ?? '';
    const isShown = used.has(normalizeIdentifier(label)) && !/^(?:\/\/|comment|#)$/i.test(label.trim());
    return isShown ? [] : [{ from, to, by: '' }];
  }
  return [];
}

function countSpaceBefore(text: string, at: number): number {
  let start = at;
  while (text[start - 1] === ' ' || text[start - 1] === '\t') start -= 1;
  return at - start;
}
