import MarkdownIt from 'markdown-it';
import type { Html } from '../../pages/html.ts';

/** No HTML, and no images: a reader's browser requests nothing, unless the reader clicks on a link. */
const markdown = new MarkdownIt({ html: false, linkify: false }).disable(['image', 'table']);

const openLink =
  markdown.renderer.rules.link_open ??
  ((tokens, index, options, _env, self) => self.renderToken(tokens, index, options));
markdown.renderer.rules.link_open = (tokens, index, ...rest) => {
  tokens[index]?.attrSet('rel', 'noreferrer nofollow');
  return openLink(tokens, index, ...rest);
};
// A page has one h1, and the text is below an h2.
markdown.renderer.rules.heading_open = () => '<p><strong>';
markdown.renderer.rules.heading_close = () => '</strong></p>';

/** Renders a text of the model. */
export const renderMarkdown = (text: string): Html => ({ html: markdown.render(text) });
