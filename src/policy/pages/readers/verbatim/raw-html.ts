import type { MarkdownReader } from '../dialect.ts';

/** A line that may begin HTML, in lists, quotes, definitions and footnotes, too. */
const htmlLine = /^[ \t]{0,99}(?:(?:[-*+>:]|\d{1,9}[.)]|\[[^[\]]{1,99}\]:)[ \t]{0,9}){0,9}<[a-z/!?]/i;
export const isHtmlLine = (line: string): boolean => line.includes('<') && htmlLine.test(line);
/** Their text is HTML up to the mark, whatever it looks like. */
const rawEnds: readonly (readonly [RegExp, RegExp])[] = [
  [/<!--/, /-->/],
  [/<\?/, /\?>/],
  [/<!\[CDATA\[/, /\]\]>/],
  [
    /<(?:script|pre|style|textarea|xmp|iframe|noscript|title|plaintext|noembed|noframes)\b/i,
    /<\/(?:script|pre|style|textarea|xmp|iframe|noscript|title|noembed|noframes)\b/i,
  ],
];
/** What is below it is no HTML for CommonMark. */
const wholeComment = /^ {0,3}<!--(?!-?>)(?:[^<>`{}-]|-(?!-))*-->[ \t]*$/;
/** Of elements that keep Markdown from what stands in them. */
const blockTag =
  /<(\/?)(?!(?:a|abbr|b|bdi|bdo|br|cite|code|del|em|hr|i|img|input|ins|kbd|label|mark|q|s|samp|small|span|strong|sub|sup|u|var|wbr)\b)[a-z][\w-]*/gi;

/** An element whose text is Markdown. */
const markdownTag =
  /^<[a-z][^<>"'=]*(?:="[^"<>]*"[^<>"'=]*){0,9}\smarkdown(?:=["']?(?:1|block|markdown)["']?)?(?=[\s>])/i;

/** How far raw HTML reaches, line by line: what stands in it is no code for some of the readers. */
export function createRawHtml({ isMdx, readers }: { isMdx: boolean; readers: readonly MarkdownReader[] }) {
  const isKramdown = readers.includes('kramdown') && !isMdx;
  const isCommonMark = readers.every((reader) => reader === 'commonmark');
  const keepsBlocks = isKramdown || (readers.includes('python') && !isMdx);
  /** Up to a blank line. */
  let isInBlock = false;
  let depth = 0;
  let rawEnd: RegExp | undefined;

  const isOpen = () => rawEnd !== undefined || depth > 0;

  return {
    isOpen,
    hidesFences: () => rawEnd !== undefined || (!isMdx && (isInBlock || (depth > 0 && isKramdown))),
    /** Marks of code mean nothing in raw HTML. */
    isRaw: (lines: readonly string[]) => !isMdx && (isOpen() || lines.some(isHtmlLine)),
    endBlock(): void {
      isInBlock = false;
    },
    /** kramdown and Python-Markdown leave the inside of a block as it is, up to its end. */
    readTags(line: string): void {
      if (depth === 0 && !line.includes('<')) return;
      if (isHtmlLine(line) && !(isCommonMark && wholeComment.test(line))) isInBlock = true;
      if (!keepsBlocks || (depth === 0 && !isHtmlLine(line))) return;
      const isInside = depth > 0;
      for (const [, close] of line.matchAll(blockTag)) depth = Math.max(0, depth + (close === '' ? 1 : -1));
      depth = Math.max(0, depth - [...line.matchAll(/\/>/g)].length);
      if (!isInside && readers.includes('markdown in html') && markdownTag.test(line.trimStart())) depth = 0;
    },
    readText(line: string): void {
      if (rawEnd === undefined && !line.includes('<')) return;
      let rest = line;
      for (let step = 0; step < 100; step += 1) {
        if (rawEnd !== undefined) {
          const end = rawEnd.exec(rest);
          if (end === null) return;
          rest = rest.slice(end.index + end[0].length);
          rawEnd = undefined;
        }
        // MDX has comments, where the site has them.
        const opened = (isMdx ? rawEnds.slice(0, 1) : rawEnds)
          .map(([start, end]) => ({ at: start.exec(rest)?.index ?? -1, end }))
          .filter(({ at: start }) => start !== -1)
          .toSorted((a, b) => a.at - b.at)[0];
        if (opened === undefined) return;
        rawEnd = opened.end;
        rest = rest.slice(opened.at + 2);
      }
    },
  };
}
