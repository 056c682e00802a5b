import { withoutComments, withoutMarks } from './html-comments.ts';
import { withoutInvisible } from './strip-hidden.ts';

/**
 * Makes text of others harmless in Markdown on GitHub: shown as it was written, but it mentions nobody, links and closes no
 * issue, and is no HTML. An empty comment after `@` or `#` stops GitHub from reading a reference and is not seen.
 */
export function quiet(text: string): string {
  const shown = text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
  return quietReferences(shown, emptyComment);
}

/** The same for a title or a commit message: no Markdown, but GitHub follows the references in them, once they are merged. */
export function quietPlain(text: string): string {
  return quietReferences(withoutMarks(text), zeroWidthSpace);
}

/**
 * Makes Markdown that a model wrote safe to publish: HTML comments are taken out, because they could forge our own markers
 * or hide text from reviewers, and references are quieted. The Markdown stays Markdown. What only looks like code may be none
 * (a fence in the middle of a line, an escaped backtick), so it is quieted as well, by what does not show in code.
 */
export function quietMarkdown(markdown: string): string {
  const parts = withoutComments(markdown).split(/(```[\s\S]*?(?:```|$)|`[^`\n]+`)/);
  return parts.map((part, index) => quietReferences(part, index % 2 === 0 ? emptyComment : zeroWidthSpace)).join('');
}

/** A login, a path or another short text of others as code: one line that is nothing but text. Not for tables: a `|` stays. */
export function quietCode(text: string): string {
  const line = withoutInvisible(text).replace(/\s+/g, ' ').trim();
  const longest = Math.max(0, ...(line.match(/`+/g) ?? []).map(({ length }) => length));
  const fence = '`'.repeat(longest + 1);
  return longest > 0 ? `${fence} ${line} ${fence}` : `${fence}${line || ' '}${fence}`;
}

/** An excerpt of others as a quotation that is nothing but text: no link, no image, no code, and no line that stands outside of it. */
export function quietQuote(text: string): string {
  return withoutInvisible(text)
    .trim()
    .split('\n')
    .map((line) => `> ${quietLine(line.trim())}`.trimEnd())
    .join('\n');
}

/** GitHub makes links of bare addresses too: https://github.github.com/gfm/#autolinks-extension- */
function quietLine(line: string): string {
  const escaped = line
    .replace(/[\\`*_~[\]|$!]/g, '\\$&')
    .replace(/^(?:[-+=#]|\d{1,9}(?=[.)]))/, (mark) => (/\d/.test(mark) ? `${mark}\\` : `\\${mark}`));
  return quiet(escaped)
    .replace(/:(?=\/\/)/g, `:${emptyComment}`)
    .replace(/\b(www)\.(?=\S)/gi, `$1.${emptyComment}`);
}

const emptyComment = '<!-- -->';
const zeroWidthSpace = '\u200B';

/** https://docs.github.com/en/issues/tracking-your-work-with-issues/using-issues/linking-a-pull-request-to-an-issue; an issue's address closes it too. */
function quietReferences(text: string, mark: string): string {
  return text
    .replace(/@(?=[a-z0-9])/gi, `@${mark}`)
    .replace(/#(?=\d)/g, `#${mark}`)
    .replace(/\b(GH-)(?=\d)/gi, `$1${mark}`)
    .replace(/\b(close[sd]?|fix(?:e[sd])?|resolve[sd]?)(?=[^\w\u200B]{1,10}https?:)/gi, `$1${mark}`);
}
