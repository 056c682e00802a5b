import { diffArrays } from 'diff';
import { html } from '../../../pages/html.ts';
import { colourTexts, findLanguage, renderColoured } from '../../highlight/colour-texts.ts';
import { createPageMarkdown, type ImageSource } from './page-markdown.ts';
import { toMarkdown } from './to-markdown.ts';

export interface PreviewInput {
  /** null: the page does not exist. */
  before: string | null;
  after: string | null;
  version: 'marked' | 'before' | 'after';
  path: string;
  /** The address of images of the repository; undefined: none is shown. */
  imagesUrl: string | undefined;
}

/** The page as its readers will see it, as far as that is possible without running anything of it. Only text of it reaches the HTML. */
export async function renderPreview({ before, after, version, path, imagesUrl }: PreviewInput): Promise<string> {
  const images = imagesUrl === undefined ? undefined : { address: imagesUrl, path };
  const render = (source: string | null) => renderBlocks(toMarkdown(path, source ?? ''), images);
  if (version === 'before') return (await render(before)).join('');
  const blocks = await render(after);
  if (version === 'after') return blocks.join('');
  return markChanges(await render(before), blocks) ?? blocks.join('');
}

const markdown = createPageMarkdown();
markdown.renderer.rules.coloured_fence = (tokens, index) => tokens[index]?.content ?? '';

async function renderBlocks(source: string, images: ImageSource | undefined): Promise<string[]> {
  const { matter, text } = cutFrontMatter(source.replaceAll('\r\n', '\n'));
  const env = { images };
  const tokens = markdown.parse(text, env);
  const fences = tokens.filter(({ type }) => type === 'fence');
  const texts = fences.map(({ info, content }) => ({
    language: findLanguage(info.split(/[\s{,]/)[0] ?? ''),
    text: content,
  }));
  const known = texts.flatMap(({ language, text: code }) => (language === undefined ? [] : [{ language, text: code }]));
  const coloured = await colourTexts(known);
  let next = 0;
  for (const [index, fence] of fences.entries()) {
    const lines = texts[index]?.language === undefined ? undefined : coloured[next++];
    const code = fence.content.split('\n').map((line, place) => html`${renderColoured(line, lines?.[place])}\n`);
    fence.type = 'coloured_fence';
    fence.content = html`<pre tabindex="0" aria-label="Code"><code>${code}</code></pre>\n`.html;
  }
  return [
    ...renderMatter(matter),
    ...groupBlocks(tokens).map((block) => markdown.renderer.render(block, markdown.options, env)),
  ];
}

type Tokens = ReturnType<typeof markdown.parse>;

function groupBlocks(tokens: Tokens): Tokens[] {
  const groups: Tokens[] = [];
  for (const token of tokens) {
    if (token.level === 0 && token.nesting !== -1) groups.push([token]);
    else groups.at(-1)?.push(token);
  }
  return groups;
}

function cutFrontMatter(text: string): { matter: string; text: string } {
  const end = text.startsWith('---\n') ? text.indexOf('\n---\n', 3) : -1;
  return end === -1 ? { matter: '', text } : { matter: text.slice(4, end + 1), text: text.slice(end + 5) };
}

/** Readers see the title and the description of a page; the rest is for programs. */
function renderMatter(matter: string): string[] {
  const find = (name: string) => {
    const line = matter.split('\n').find((each) => each.startsWith(`${name}:`)) ?? '';
    return line
      .slice(name.length + 1)
      .trim()
      .replace(/^["']/, '')
      .replace(/["']$/, '');
  };
  const [title, description] = [find('title'), find('description')];
  return [
    ...(title === '' ? [] : [html`<p class="page-h1">${title}</p>\n`.html]),
    ...(description === '' ? [] : [html`<p class="page-lead">${description}</p>\n`.html]),
  ];
}

/** Rendered blocks of a page: HTML without anything foreign but text. */
type Blocks = readonly string[];

const limits = { timeout: 1_000 };

/** The page after the change, with what was added and what was removed. Undefined: it is too long to compare. */
function markChanges(before: Blocks, after: Blocks): string | undefined {
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
