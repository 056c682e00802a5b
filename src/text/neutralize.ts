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

/** Shows untrusted text as written. An empty comment after `@` or `#` keeps GitHub from parsing a reference. */
export function neutralize(text: string): string {
  const shown = text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
  return neutralizeReferences(shown, emptyComment);
}

/** For titles and commit messages, which are no Markdown but have references. Idempotent. */
export function neutralizePlain(text: string): string {
  return neutralizeReferences(withoutMarks(text), zeroWidthSpace);
}

/** Removes HTML comments, which could forge our markers. Breaks HTML and references. Keeps links and images. The result must start a line. */
export function neutralizeMarkdown(markdown: string): string {
  // Trimmed before closeFences, because the indentation of a fence decides where its block ends.
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

// Text that is code in some renderers only also gets marks, which are invisible in code.
function neutralizeSpan(text: string, isCertain: boolean): string {
  const shown = isCertain
    ? text
    : neutralizeCharacterReferences(text.replace(tagStart, `<${zeroWidthSpace}`), zeroWidthSpace);
  return neutralizeNames(shown, zeroWidthSpace);
}

/** Anything that may start HTML, except an address: https://spec.commonmark.org/0.31.2/#autolinks */
const tagStart = /<(?=[a-z/?!&])(?!https?:\/\/[^\s<>]*>)/gi;

/** Short untrusted text as inline code on one line. Not for tables: it keeps `|`. */
export function neutralizeCode(text: string): string {
  const line = withoutInvisible(text).replace(/\s+/g, ' ').trim();
  const longest = Math.max(0, ...(line.match(/`+/g) ?? []).map(({ length }) => length));
  const fence = '`'.repeat(longest + 1);
  return longest > 0 ? `${fence} ${line} ${fence}` : `${fence}${line || ' '}${fence}`;
}

/** An untrusted excerpt as a quotation of plain text: no links, images or code, and every line quoted. */
export function neutralizeQuote(text: string): string {
  return withoutInvisible(text)
    .trim()
    .split('\n')
    .map((line) => `> ${neutralizeLine(line.trim())}`.trimEnd())
    .join('\n');
}

/** GitHub also links bare URLs: https://github.github.com/gfm/#autolinks-extension- */
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
