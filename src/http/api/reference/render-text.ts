import MarkdownIt from 'markdown-it';
import { type Html, html } from '../../pages/html.ts';

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

const tokens = /("(?:[^"\\]|\\.)*")(\s*:)?|('(?:[^'\\])*')|(?<=[\s:[,])(-?\d+(?:\.\d+)?|true|false|null)(?![\w.])/g;

/** Marks the names, texts and values of JSON, and what looks like them in other code. */
function highlight(code: string): Html {
  const parts: Html[] = [];
  let end = 0;
  for (const { 0: whole, 1: quoted, 2: colon, 3: single, index } of code.matchAll(tokens)) {
    parts.push(html`${code.slice(end, index)}`);
    if (quoted !== undefined && colon !== undefined) parts.push(html`<i class="name">${quoted}</i>${colon}`);
    else parts.push(html`<i class="${(quoted ?? single) ? 'text' : 'value'}">${whole}</i>`);
    end = index + whole.length;
  }
  return html`${parts}${code.slice(end)}`;
}

/** Scrolls with the keyboard, too. */
export const showCode = (code: string, label: string): Html =>
  html`<pre tabindex="0" role="group" aria-label="${label}"><code>${highlight(code)}</code></pre>`;

export const toJsonText = (value: unknown): string =>
  typeof value === 'string' ? value.trimEnd() : JSON.stringify(value, null, 2);
