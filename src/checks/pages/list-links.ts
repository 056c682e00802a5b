import type { Tag } from './list-tags.ts';

export interface Link {
  /** As written, without angle brackets and title. */
  target: string;
  start: number;
  kind: 'link' | 'image';
}

/** https://spec.commonmark.org/0.31.2/#link-destination, with a title behind it. */
const destination =
  /\(\s*(?:<([^<>\n]*)>|((?:[^\s()\\]|\\.|\((?:[^\s()\\]|\\.)*\))*))(?:\s+(?:"[^"]*"|'[^']*'|\([^()]*\)))?\s*\)/y;
/** At any indentation, as MkDocs takes them inside of its blocks. */
const definition = /^[ \t>]*\[(?!\^)((?:[^\]\\]|\\.)+)\]:[ \t]*\n?[ \t]*(?:<([^<>\n]*)>|(\S+))/gm;

const linkAttributes = new Map<string, Link['kind']>([
  ['href', 'link'],
  ['to', 'link'],
  ['src', 'image'],
  ['poster', 'image'],
  ['srcdark', 'image'],
  ['darksrc', 'image'],
]);

/** Links and images of text without code: inline, by reference definitions, and in attributes of tags. */
export function listLinks(prose: string, tags: readonly Tag[]): Link[] {
  return [...listInline(prose), ...listDefinitions(prose), ...listAttributes(tags)].toSorted(
    (a, b) => a.start - b.start,
  );
}

function listInline(prose: string): Link[] {
  const links: Link[] = [];
  const brackets: { isImage: boolean }[] = [];
  for (let at = 0; at < prose.length; at += 1) {
    const character = prose[at];
    if (character === '\\') at += 1;
    else if (character === '\n' && prose[at + 1] === '\n') brackets.length = 0;
    else if (character === '[') brackets.push({ isImage: prose[at - 1] === '!' });
    else if (character === ']') {
      const opening = brackets.pop();
      if (opening === undefined || prose[at + 1] !== '(') continue;
      destination.lastIndex = at + 1;
      const found = destination.exec(prose);
      const target = found?.[1] ?? found?.[2];
      if (target === undefined || target === '') continue;
      links.push({ target: removeEscapes(target), start: at + 2, kind: opening.isImage ? 'image' : 'link' });
    }
  }
  return links;
}

const listDefinitions = (prose: string): Link[] =>
  Array.from(prose.matchAll(definition), ({ 0: whole, 2: bracketed, 3: bare, index }) => ({
    target: removeEscapes(bracketed ?? bare ?? ''),
    start: index + whole.search(/[^\s>]/),
    kind: 'link' as const,
  }));

function listAttributes(tags: readonly Tag[]): Link[] {
  return tags.flatMap(({ attributes }) =>
    [...attributes].flatMap(([name, { value, start }]) => {
      const kind = linkAttributes.get(name);
      return kind === undefined || value === '' ? [] : [{ target: value, start, kind }];
    }),
  );
}

const removeEscapes = (target: string) => target.replace(/\\([!-/:-@[-`{-~])/g, '$1');
