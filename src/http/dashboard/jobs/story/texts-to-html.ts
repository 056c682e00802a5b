import MarkdownIt from 'markdown-it';

/** No HTML, and no images: a reader's browser requests nothing, unless the reader clicks on a link. */
const markdown = new MarkdownIt({ html: false, linkify: false }).disable('image');
const { rules } = markdown.renderer;
const { escapeHtml } = markdown.utils;

rules.link_open = (tokens, index, _options, env) => {
  const address = String(tokens[index]?.attrGet('href') ?? '');
  return `<a href="${escapeHtml(findAddress(address, env))}" rel="noreferrer nofollow">`;
};
// A page has one h1, and the text is below an h2.
rules.heading_open = () => '<p><strong>';
rules.heading_close = () => '</strong></p>\n';
// A keyboard can scroll what is wider than its place.
rules.table_open = () => '<div class="wide" role="group" aria-label="Table" tabindex="0"><table>\n';
rules.table_close = () => '</table></div>\n';
rules.fence = (tokens, index) => renderCode(tokens[index]?.content ?? '');
rules.code_block = rules.fence;
const renderCode = (code: string) => `<pre tabindex="0" aria-label="Code"><code>${escapeHtml(code)}</code></pre>\n`;

/** `[ ]` and `[x]` at the beginning of an item. */
rules.text = (tokens, index) => {
  const text = tokens[index]?.content ?? '';
  const box = index === 0 ? /^\[([ xX])\] /.exec(text) : null;
  if (!box) return escapeHtml(text);
  return `<span class="task">${box[1] === ' ' ? '☐' : '☑'}</span> ${escapeHtml(text.slice(4))}`;
};

/** An address of a file leads to GitHub: here it would lead nowhere. */
function findAddress(address: string, env: unknown): string {
  if (/^(?:[a-z][a-z0-9+.-]*:|#|\/\/)/i.test(address)) return address;
  const files = typeof env === 'object' && env !== null && 'filesUrl' in env ? String(env.filesUrl) : undefined;
  return files === undefined ? address : `${files}/${address.replace(/^\.?\//, '')}`;
}

export interface Texts {
  texts: readonly string[];
  /** Where the files of the repository are on GitHub. */
  filesUrl: string | undefined;
}

export function textsToHtml({ texts, filesUrl }: Texts): string[] {
  return texts.map((text) => markdown.render(text, { filesUrl }));
}
