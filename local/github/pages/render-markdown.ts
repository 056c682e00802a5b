import { type Html, html } from './html.ts';

/** The Markdown of pull requests: headings, lists, code, emphasis, links. Escapes HTML and leaves comments out, as github.com does. */
export function renderMarkdown(markdown: string): Html {
  const visible = markdown.replace(/<!--.*?-->/gs, '').trim();
  const blocks = visible.split(/(^```[^\n]*\n[\s\S]*?^```[ \t]*$)/m);
  return html`${blocks.map((block) => {
    const [, code] = /^```[^\n]*\n([\s\S]*?)^```[ \t]*$/m.exec(block) ?? [];
    return code === undefined ? renderText(block) : html`<pre><code>${code}</code></pre>`;
  })}`;
}

function renderText(text: string): Html {
  const paragraphs = text.split(/\n\s*\n/).filter((paragraph) => paragraph.trim() !== '');
  return html`${paragraphs.map((paragraph) => renderParagraph(paragraph.trim()))}`;
}

function renderParagraph(paragraph: string): Html {
  const [, marks = '', heading] = /^(#{1,6}) +([^\n]+)$/.exec(paragraph) ?? [];
  if (heading !== undefined)
    return marks.length < 3 ? html`<h2>${renderInline(heading)}</h2>` : html`<h3>${renderInline(heading)}</h3>`;
  const lines = paragraph.split('\n');
  if (isItem(lines[0] ?? '') && lines.every((line) => isItem(line) || /^ {2}/.test(line))) {
    const items = paragraph.split(/\n(?=\s*(?:[-*]|\d+\.) )/);
    return html`<ul>${items.map(renderItem)}</ul>`;
  }
  if (lines.every((line) => line.startsWith('>'))) {
    return html`<blockquote class="muted">${renderInline(lines.map((line) => line.replace(/^> ?/, '')).join('\n'))}</blockquote>`;
  }
  return html`<p>${lines.map((line, index) => html`${index > 0 && html`<br>`}${renderInline(line)}`)}</p>`;
}

const isItem = (line: string): boolean => /^\s*([-*]|\d+\.) /.test(line);

/** Indented lines below an item belong to it: more text, or a quote. */
function renderItem(item: string): Html {
  const [first = '', ...rest] = item.replace(/^\s*([-*]|\d+\.) (\[[ x]\] )?/, '').split('\n');
  const below = rest.map((line) => line.trim()).join('\n');
  return html`<li>${renderInline(first)}${below !== '' && renderParagraph(below)}</li>`;
}

function renderInline(text: string): Html {
  const parts = text.split(/(`[^`]+`|\*\*[^*]+\*\*|\[[^\]]+\]\(https?:\/\/[^\s)]+\))/);
  return html`${parts.map((part) => {
    if (/^`.+`$/s.test(part)) return html`<code>${part.slice(1, -1)}</code>`;
    if (/^\*\*.+\*\*$/s.test(part)) return html`<strong>${part.slice(2, -2)}</strong>`;
    const [, label, target] = /^\[([^\]]+)\]\((https?:\/\/[^\s)]+)\)$/.exec(part) ?? [];
    return label === undefined ? part : html`<a href="${target}" rel="noreferrer">${label}</a>`;
  })}`;
}
