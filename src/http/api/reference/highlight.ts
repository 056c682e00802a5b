import { type Html, html } from '../../pages/html.ts';

const tokens = /("(?:[^"\\]|\\.)*")(\s*:)?|('(?:[^'\\])*')|(?<=[\s:[,])(-?\d+(?:\.\d+)?|true|false|null)(?![\w.])/g;

/** Marks the names, texts and values of JSON, and what looks like them in other code. */
export function highlight(code: string): Html {
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
