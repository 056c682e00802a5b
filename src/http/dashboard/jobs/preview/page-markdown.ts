import { dirname, join, normalize } from 'node:path/posix';
import MarkdownParser, { type MarkdownIt, type Token } from 'markdown-it';
import { imageTypeOf } from './image-types.ts';
import { readComponents } from './read-components.ts';

/** Where a preview takes the images of the repository from. */
export interface ImageSource {
  /** The address of images of the commit. */
  address: string;
  /** The page. */
  path: string;
}

/** The address of an image of the repository; undefined: it is elsewhere, or no image. */
function findOwnImage(address: string, env: unknown): string | undefined {
  const { images } = env as { images?: ImageSource | undefined };
  const [path = ''] = address.split(/[?#]/, 1);
  if (!images || /^(?:[a-z][a-z0-9+.-]*:|\/\/)/i.test(address) || imageTypeOf(path) === undefined) return undefined;
  const named = decode(path);
  const place = named.startsWith('/') ? normalize(named) : join(dirname(images.path), named);
  if (place.startsWith('..')) return undefined;
  return `${images.address}?${new URLSearchParams({ path: place }).toString()}`;
}

/** A name that is not well encoded stays as it is. */
function decode(path: string): string {
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}

/** The Markdown of documentation as only text: no HTML, only images of the repository, and a link leads only to a whole address. */
export function createPageMarkdown(): MarkdownIt {
  const markdown = new MarkdownParser({ html: false, linkify: false }).disable('code');
  markdown.use(readComponents);
  const { rules } = markdown.renderer;
  // Headings of a page are below the headings of the dashboard.
  rules.heading_open = (tokens, index) => `<p class="page-${tokens[index]?.tag ?? 'h2'}">`;
  rules.heading_close = () => '</p>\n';
  rules.table_open = () => '<div class="wide" role="group" aria-label="Table" tabindex="0"><table>\n';
  rules.table_close = () => '</table></div>\n';
  rules.link_open = (tokens, index) => {
    const token = tokens[index];
    const address = String(token?.attrGet('href') ?? '');
    const isWhole = /^https?:\/\//i.test(address);
    if (token) token.meta = { isWhole };
    const shown = markdown.utils.escapeHtml(address);
    return isWhole ? `<a href="${shown}" rel="noreferrer nofollow">` : `<span class="page-link" title="${shown}">`;
  };
  rules.link_close = (tokens, index) => (isInWholeLink(tokens, index) ? '</a>' : '</span>');
  rules.image = (tokens, index, _options, env) => {
    const { content = '' } = tokens[index] ?? {};
    const address = String(tokens[index]?.attrGet('src') ?? '');
    const { escapeHtml } = markdown.utils;
    const own = findOwnImage(address, env);
    if (own !== undefined)
      return `<img class="page-picture" src="${escapeHtml(own)}" alt="${escapeHtml(content)}" loading="lazy">`;
    return `<span class="page-image">Image: ${escapeHtml(content || address)}</span>`;
  };
  return markdown;
}

/** Links are not nested: the last one that opened is the one that closes. */
function isInWholeLink(tokens: readonly Token[], index: number): boolean {
  const opening = tokens.slice(0, index).findLast(({ type }) => type === 'link_open');
  return opening?.meta?.isWhole === true;
}
