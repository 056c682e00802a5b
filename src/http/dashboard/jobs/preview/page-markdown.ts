import MarkdownParser, { type MarkdownIt, type Token } from 'markdown-it';
import { readComponents } from './read-components.ts';

/** The Markdown of documentation as only text: no HTML, no image is loaded, and a link leads only to a whole address. */
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
  rules.image = (tokens, index) => {
    const { content = '' } = tokens[index] ?? {};
    const address = String(tokens[index]?.attrGet('src') ?? '');
    return `<span class="page-image">Image: ${markdown.utils.escapeHtml(content || address)}</span>`;
  };
  return markdown;
}

/** Links are not nested: the last one that opened is the one that closes. */
function isInWholeLink(tokens: readonly Token[], index: number): boolean {
  const opening = tokens.slice(0, index).findLast(({ type }) => type === 'link_open');
  return opening?.meta?.isWhole === true;
}
