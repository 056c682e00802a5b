import { closeFences, type MarkdownLine } from './close-fences.ts';
import { withoutComments, withoutMarks } from './html-comments.ts';
import { isPlainLine, splitCodeSpans } from './markdown-code.ts';
import {
  decodeCharacterReferences,
  neutralizeCharacterReferences,
  neutralizeCommands,
  neutralizeNames,
  neutralizeReferences,
} from './neutralize-references.ts';
import { withoutInvisible } from './strip-hidden.ts';

/**
 * Makes text of others harmless in Markdown on GitHub: shown as it was written, but it mentions nobody, links and closes no
 * issue, and is no HTML. An empty comment after `@` or `#` stops GitHub from reading a reference and is not seen.
 */
export function neutralize(text: string): string {
  const shown = text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
  return neutralizeReferences(shown, emptyComment);
}

/** The same for a title or a commit message: no Markdown, but GitHub follows the references in them, once they are merged. Idempotent. */
export function neutralizePlain(text: string): string {
  return neutralizeReferences(withoutMarks(text), zeroWidthSpace);
}

/**
 * Makes Markdown that a model wrote safe to publish: HTML comments are taken out, because they could forge our own markers
 * or hide text from reviewers, other HTML is shown as text, references are quieted, and a block of code that stays open is closed, so
 * that nothing swallows what stands behind the text. The Markdown stays Markdown, its links and images too. It has to begin a line.
 *
 * What only looks like code may be none (an escaped backtick, a span in an address), so it is quieted as well, by what does not show
 * in code; where it is code for certain only references are, because the text may become the message of a commit.
 */
export function neutralizeMarkdown(markdown: string): string {
  // White space before a fence says where the block has to end, so none may be trimmed afterwards.
  const text = withoutComments(markdown.replace(/\r\n?/g, '\n')).trim();
  let isPlain = true;
  return closeFences(neutralizeCommands(text, zeroWidthSpace))
    .map((line) => {
      if (line.kind !== 'prose') return neutralizeBlock(line);
      isPlain &&= isPlainLine(line.text);
      return splitCodeSpans(line.text)
        .map((part, index) => (index % 2 === 0 ? neutralizeProse(part) : neutralizeSpan(part, isPlain)))
        .join('');
    })
    .join('\n');
}

const neutralizeBlock = ({ text, kind }: MarkdownLine) => neutralizeSpan(text, kind === 'certain');

function neutralizeProse(text: string): string {
  return neutralizeNames(decodeCharacterReferences(text.replace(tagStart, '&lt;'), emptyComment), emptyComment);
}

function neutralizeSpan(text: string, isCertain: boolean): string {
  const shown = isCertain
    ? text
    : neutralizeCharacterReferences(text.replace(tagStart, `<${zeroWidthSpace}`), zeroWidthSpace);
  return neutralizeNames(shown, zeroWidthSpace);
}

/** Whatever may begin HTML, but for an address: https://spec.commonmark.org/0.31.2/#autolinks */
const tagStart = /<(?=[a-z/?!&])(?!https?:\/\/[^\s<>]*>)/gi;

/** A login, a path or another short text of others as code: one line that is nothing but text. Not for tables: a `|` stays. */
export function neutralizeCode(text: string): string {
  const line = withoutInvisible(text).replace(/\s+/g, ' ').trim();
  const longest = Math.max(0, ...(line.match(/`+/g) ?? []).map(({ length }) => length));
  const fence = '`'.repeat(longest + 1);
  return longest > 0 ? `${fence} ${line} ${fence}` : `${fence}${line || ' '}${fence}`;
}

/** An excerpt of others as a quotation that is nothing but text: no link, no image, no code, and no line that stands outside of it. */
export function neutralizeQuote(text: string): string {
  return withoutInvisible(text)
    .trim()
    .split('\n')
    .map((line) => `> ${neutralizeLine(line.trim())}`.trimEnd())
    .join('\n');
}

/** GitHub makes links of bare addresses too: https://github.github.com/gfm/#autolinks-extension- */
function neutralizeLine(line: string): string {
  const escaped = line
    .replace(/[\\`*_~[\]|$!]/g, '\\$&')
    .replace(/^(?:[-+=#]|\d{1,9}(?=[.)]))/, (mark) => (/\d/.test(mark) ? `${mark}\\` : `\\${mark}`));
  return neutralize(escaped)
    .replace(/:(?=\/\/)/g, `:${emptyComment}`)
    .replace(/\b(www)\.(?=\S)/gi, `$1.${emptyComment}`);
}

const emptyComment = '<!-- -->';
const zeroWidthSpace = '\u200B';
