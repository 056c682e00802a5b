export interface Tag {
  name: string;
  start: number;
  /** Where its text begins; where it ends, for a tag that closes itself. */
  end: number;
  isClosing: boolean;
  /** With values that are plain text, also `{"…"}` and `` {`…`} ``. Names in lower case. */
  attributes: Map<string, { value: string; start: number }>;
}

/** A tag of a page is shorter. Without a limit each `<` could read the rest of the page. */
const maxTagLength = 4_000;
const tagName = /<(\/?)([A-Za-z][\w.:-]*)/g;
const attributeName = /([\w:@.#-]+)\s*(=?)\s*/y;
const tagEnd = /\/?>/y;

/** Lists HTML and JSX tags of text without code. Skips incomplete tags. */
export function listTags(prose: string): Tag[] {
  const tags: Tag[] = [];
  tagName.lastIndex = 0;
  for (let found = tagName.exec(prose); found !== null; found = tagName.exec(prose)) {
    const [opening, slash, name = ''] = found;
    const from = found.index + opening.length;
    const read = readAttributes(prose, from, Math.min(prose.length, from + maxTagLength));
    if (read === undefined) continue;
    tags.push({ name, start: found.index, isClosing: slash === '/', ...read });
    tagName.lastIndex = read.end;
  }
  return tags;
}

function readAttributes(prose: string, from: number, limit: number) {
  const attributes: Tag['attributes'] = new Map();
  let at = from;
  while (at < limit) {
    tagEnd.lastIndex = at;
    if (tagEnd.test(prose)) return { attributes, end: tagEnd.lastIndex };
    if (prose[at] === '{' || /[\s,]/.test(prose[at] ?? '')) {
      const end = prose[at] === '{' ? findBraceEnd(prose, at, limit) : at + 1;
      if (end === undefined) return undefined;
      at = end;
      continue;
    }
    attributeName.lastIndex = at;
    const found = attributeName.exec(prose);
    const name = found?.[1];
    if (found === null || name === undefined) return undefined;
    at = attributeName.lastIndex;
    if (found[2] !== '=') continue;
    const value = readValue(prose, at, limit);
    if (value === undefined) return undefined;
    if (value.text !== undefined) attributes.set(name.toLowerCase(), { value: value.text, start: value.start });
    at = value.end;
  }
  return undefined;
}

function readValue(prose: string, at: number, limit: number) {
  const quote = prose[at];
  if (quote === '"' || quote === "'") {
    const end = prose.indexOf(quote, at + 1);
    return end < 0 || end > limit ? undefined : { text: prose.slice(at + 1, end), start: at + 1, end: end + 1 };
  }
  if (quote === '{') {
    const end = findBraceEnd(prose, at, limit);
    if (end === undefined) return undefined;
    const [, before = '', , text] = /^(\{\s*(["'`]))([^"'`\\$]*)\2\s*\}$/.exec(prose.slice(at, end)) ?? [];
    return { text, start: at + before.length, end };
  }
  const bare = /[^\s"'=<>`]+/y;
  bare.lastIndex = at;
  const found = bare.exec(prose)?.[0];
  if (found === undefined) return undefined;
  // The slash of `<a href=x/>` closes the tag.
  const text = found.endsWith('/') && prose[at + found.length] === '>' ? found.slice(0, -1) : found;
  return { text, start: at, end: at + text.length };
}

function findBraceEnd(prose: string, from: number, limit: number): number | undefined {
  let depth = 0;
  for (let at = from; at < limit; at += 1) {
    const character = prose[at];
    if (character === '{') depth += 1;
    else if (character === '}') depth -= 1;
    if (depth === 0) return at + 1;
  }
  return undefined;
}
