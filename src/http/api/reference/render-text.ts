import MarkdownIt from 'markdown-it';
import { type Html, html } from '../../pages/html.ts';
import { showCode } from './highlight.ts';

/** Our own texts: addresses become links. */
const markdown = new MarkdownIt({
  html: false,
  linkify: true,
  highlight: (code) => showCode(code.trimEnd(), 'Example').html,
});

markdown.linkify.set({ fuzzyLink: false, fuzzyEmail: false });

/** A text of the description, without paragraphs. */
export const renderInline = (text: string): Html => ({ html: markdown.renderInline(text) });

const renderBlocks = (text: string): Html => ({ html: markdown.render(text) });

interface Chapter {
  id: string;
  title: string;
  body: Html;
}

/** The text before the first heading of the second level, and the chapters that such headings begin. */
export function renderChapters(text: string): { lead: Html; chapters: Chapter[] } {
  const [lead = '', ...parts] = text.split(/^## /m);
  const chapters = parts.map((part) => {
    const [title = '', ...lines] = part.split('\n');
    return { id: title.toLowerCase().replaceAll(/\W+/g, '-'), title, body: renderBlocks(lines.join('\n')) };
  });
  return { lead: html`${renderBlocks(lead)}`, chapters };
}
