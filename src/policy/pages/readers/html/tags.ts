import { decodeEntities } from './entities.ts';

/** A tag as any reader could see it in the source. */
export interface RawTag {
  name: string;
  /** Decoded; null: the value is an expression of MDX, which is read for itself. */
  attributes: (readonly [name: string, value: string | null])[];
  start: number;
  end: number;
  /** Where its values in quotes are. */
  quoted: (readonly [start: number, end: number])[];
  /** It ends with `>`. */
  isWhole: boolean;
}

const opening = /<(?:[\p{L}_$][\p{L}\w.:-]*)/gu;
const nameEnds = new Set(' \t\n\r\f/>=<"\''.split(''));
const isBlank = (character: string | undefined): boolean => character !== undefined && ' \t\n\r\f/'.includes(character);

/**
 * Every place that looks like a tag, those within others, too. `findEnd`: of MDX, where the expression that begins with the brace at a place
 * ends.
 */
export function* listRawTags(text: string, findEnd?: (brace: number) => number | undefined): Generator<RawTag> {
  let left = mostRead(text);
  const quotes = { '"': createSearch(text, '"'), "'": createSearch(text, "'") };
  for (const { index, 0: mark } of text.matchAll(opening)) {
    const attributes: RawTag['attributes'] = left > 0 ? [] : [['on:tags', text.slice(index)]];
    const quoted: RawTag['quoted'] = [];
    let at = index + mark.length;
    for (;;) {
      while (isBlank(text[at]) || text[at] === '"' || text[at] === "'") at += 1;
      const character = text[at];
      if (character === undefined || character === '>' || character === '<') break;
      if (character === '{' && findEnd !== undefined) {
        const end = findEnd(at);
        if (end === undefined) break;
        at = end;
        continue;
      }
      const from = at;
      at += 1;
      while (at < text.length && !nameEnds.has(text[at] ?? '')) at += 1;
      const name = text.slice(from, at);
      let next = at;
      while (isBlank(text[next]) && text[next] !== '/') next += 1;
      if (text[next] !== '=') {
        attributes.push([name, '']);
        continue;
      }
      next += 1;
      while (isBlank(text[next]) && text[next] !== '/') next += 1;
      const quote = text[next];
      if (quote === '"' || quote === "'") {
        const end = quotes[quote](next + 1);
        attributes.push([name, decodeEntities(text.slice(next + 1, end ?? next + maxOpenValue))]);
        if (end === undefined) break;
        quoted.push([next + 1, end]);
        at = end + 1;
      } else if (quote === '{' && findEnd !== undefined) {
        const end = findEnd(next);
        attributes.push([name, null]);
        if (end === undefined) break;
        at = end;
      } else {
        at = next;
        while (at < text.length && !/[\s>]/.test(text[at] ?? '')) at += 1;
        attributes.push([name, decodeEntities(text.slice(next, at))]);
      }
    }
    const isSpent = left <= 0;
    left -= at - index;
    yield { name: mark.slice(1), attributes, start: index, end: at + 1, quoted, isWhole: text[at] === '>' };
    if (isSpent) return;
  }
}

/** Of all tags together, each with those in it: where they hold one another for longer, the rest counts as an event of one. */
const mostRead = ({ length }: string): number => 50_000 + 4 * length;

const maxOpenValue = 2_000;

/** `indexOf` that does not search again behind the last one. */
function createSearch(text: string, mark: string): (from: number) => number | undefined {
  const last = text.lastIndexOf(mark);
  return (from) => (from > last ? undefined : text.indexOf(mark, from));
}
