import { html } from '../../../pages/html.ts';
import { colourTexts } from '../../highlight/colour-texts.ts';
import { renderColoured } from '../../highlight/coloured-line.ts';
import { findLanguage } from '../../highlight/find-language.ts';
import { markChanges } from './mark-changes.ts';
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
