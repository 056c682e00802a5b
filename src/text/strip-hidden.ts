import { withoutUnseenHtml } from './html-comments.ts';
import { withoutDefinitions } from './link-definitions.ts';
import { closesFence, type Fence, findFence, isPlainLine } from './markdown-code.ts';

/**
 * A person's comment as people see it, for the model to read: without HTML comments and their like, definitions that nothing refers
 * to, and characters that do not show, which could carry instructions that nobody but the model reads. Emoji stay whole, and so do
 * the joiners that some scripts are spelled with. A comment in code stays where it is certain to show as code. Line ends become `\n`.
 * Idempotent.
 */
export function stripHidden(text: string): string {
  const shown = withoutInvisible(text);
  const end = findPlainEnd(shown);
  return withoutDefinitions(shown.slice(0, end) + withoutUnseenHtml(shown.slice(end)), end);
}

/**
 * First the places where a character that does not show is part of one that does: an emoji, and a joiner between letters of a script
 * that is spelled with it. Default_Ignorable_Code_Point has the zero-width and bidi characters, tags, variation selectors and their
 * like: https://www.unicode.org/reports/tr44/#Default_Ignorable_Code_Point
 */
const invisible =
  /(\p{RGI_Emoji}|(?<=[[\p{L}\p{M}]&&[\p{scx=Arab}\p{scx=Deva}\p{scx=Beng}\p{scx=Guru}\p{scx=Gujr}\p{scx=Orya}\p{scx=Taml}\p{scx=Telu}\p{scx=Knda}\p{scx=Mlym}\p{scx=Sinh}]])[\u200C\u200D](?=[[\p{L}\p{M}]--\p{DI}]))|[\p{DI}[\p{Cc}--[\n\t]]\uFFF9-\uFFFB]/gv;

/** The text without characters that nobody sees. */
export function withoutInvisible(text: string): string {
  return text
    .toWellFormed()
    .replace(/\r\n?/g, '\n')
    .replace(invisible, (_match, shown: string | undefined) => shown ?? '');
}

/**
 * Up to where the text is so plain that what looks like code is code on GitHub too, and nothing else could be an HTML comment. From
 * the first doubt on comments are taken out of code as well: a text can be written so that it is no code there, for instance inside
 * HTML, in the address of a link or in a cell of a table.
 */
function findPlainEnd(text: string): number {
  let fence: Fence | undefined;
  let end = 0;
  for (const line of text.split('\n')) {
    if (fence !== undefined) {
      if (closesFence(line, fence)) fence = undefined;
    } else {
      fence = findFence(line);
      const isPlain = fence === undefined ? isPlainLine(line) : fence.indent === 0;
      if (!isPlain) return end;
    }
    end += line.length + 1;
  }
  return text.length;
}
