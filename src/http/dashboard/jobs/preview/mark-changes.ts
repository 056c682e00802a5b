import { diffArrays } from 'diff';

/** Rendered blocks of a page: HTML without anything foreign but text. */
type Blocks = readonly string[];

const limits = { timeout: 1_000 };

/** The page after the change, with what was added and what was removed. Undefined: it is too long to compare. */
export function markChanges(before: Blocks, after: Blocks): string | undefined {
  const parts = diffArrays([...before], [...after], limits);
  if (!parts) return undefined;
  const marked: string[] = [];
  for (let index = 0; index < parts.length; index += 1) {
    const { added = false, removed = false, value = [] } = parts[index] ?? {};
    const next = parts[index + 1];
    if (removed && next?.added) {
      marked.push(markPairs(value, next.value));
      index += 1;
    } else if (added) marked.push(...value.map(showAdded));
    else if (removed) marked.push(...value.map(showRemoved));
    else marked.push(...value);
  }
  return marked.join('');
}

const showAdded = (block: string) => `<div class="page-added"><span class="sr">Added: </span>${block}</div>`;
const showRemoved = (block: string) => `<div class="page-removed"><span class="sr">Removed: </span>${block}</div>`;

function markPairs(before: Blocks, after: Blocks): string {
  const shown: string[] = [];
  for (let place = 0; place < Math.max(before.length, after.length); place += 1) {
    const [was, is] = [before[place], after[place]];
    const words = was !== undefined && is !== undefined ? markWordsOf(was, is) : undefined;
    if (words !== undefined) shown.push(`<div class="page-changed">${words}</div>`);
    else shown.push(was === undefined ? '' : showRemoved(was), is === undefined ? '' : showAdded(is));
  }
  return shown.join('');
}

const tagOf = (block: string) => /^<(\w+)/.exec(block)?.[1];
/** Tags, entities, words, spaces, and what stands between words. */
const split = (block: string) =>
  block.match(/<[^<>]*>|&#?\w{1,30};|[\p{L}\p{N}\p{M}_]+|\s+|[^<&\s\p{L}\p{N}\p{M}_]+|[<&]/gu) ?? [];
const isTag = (part: string) => part.startsWith('<');

/** Between these, a browser allows no text. */
const holdsNoText = /^<\/?(?:table|thead|tbody|tr|ul|ol)\b|^<\/(?:td|th|li)>/;
const leastInCommon = 0.4;

/** The words that changed, in the structure of what is. Undefined: the two have too little in common. */
function markWordsOf(before: string, after: string): string | undefined {
  if (tagOf(before) !== tagOf(after)) return undefined;
  const parts = diffArrays(split(before), split(after), limits);
  if (!parts) return undefined;
  const lengthOf = (texts: readonly string[]) => texts.reduce((sum, text) => sum + (isTag(text) ? 0 : text.length), 0);
  const same = parts.filter(({ added, removed }) => !added && !removed);
  const common = same.reduce((sum, { value }) => sum + lengthOf(value), 0);
  if (common < leastInCommon * lengthOf(split(after))) return undefined;
  const shown: string[] = [];
  let lastTag = '';
  for (const { removed, added, same } of joinParts(parts)) {
    const gone = removed.filter((part) => !isTag(part)).join('');
    if (gone.trim() !== '') {
      if (holdsNoText.test(lastTag)) return undefined;
      shown.push(`<del>${gone}</del>`);
    }
    for (const part of added) {
      if (isTag(part)) lastTag = part;
      shown.push(!isTag(part) && part.trim() !== '' ? `<ins>${part}</ins>` : part);
    }
    for (const part of same) if (isTag(part)) lastTag = part;
    shown.push(...same);
  }
  return shown.join('').replaceAll('</ins><ins>', '').replaceAll('</ins> <ins>', ' ');
}

type Part = ReturnType<typeof diffArrays<string>>[number];

/** What was removed and added in one place, and what follows unchanged. */
interface Passage {
  removed: string[];
  added: string[];
  same: string[];
}

/** Words that change are often parted by a space that does not. */
function joinParts(parts: readonly Part[]): Passage[] {
  const joined: Passage[] = [];
  for (const [index, { value, added, removed }] of parts.entries()) {
    const isSpace = !added && !removed && value.every((part) => part.trim() === '');
    const open = joined.at(-1);
    const last: Passage = open?.same.length === 0 ? open : { removed: [], added: [], same: [] };
    if (last !== open) joined.push(last);
    if (removed) last.removed.push(...value);
    else if (added) last.added.push(...value);
    else if (isSpace && index < parts.length - 1 && last.removed.length + last.added.length > 0) {
      last.removed.push(...value);
      last.added.push(...value);
    } else last.same.push(...value);
  }
  return joined;
}
