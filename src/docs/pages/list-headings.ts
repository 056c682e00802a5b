import { decodeString } from 'micromark-util-decode-string';
import { endOfLine } from './blank-code.ts';

export interface Heading {
  depth: number;
  /** Markdown without the marks, for slugs: `Use the *API*` is `Use the API`. */
  text: string;
  /** With marks. */
  written: string;
  /** Without components such as badges, and without their content. Undefined if it is the same. */
  bareText: string | undefined;
  /** As the page gives it: `{#id}`, `{ #id }` or `[#id]`. */
  id: string | undefined;
  start: number;
}

/** Deeper indentation too: components and admonitions indent their content. Items of lists may begin with a heading. */
const atx = /^[ \t>]*(?:[-*+][ \t]{1,4}|\d{1,9}[.)][ \t]{1,4})?(#{1,6})(?=[ \t])/gm;
const underline = /^ {0,3}(=+|-{2,})[ \t]*$/gm;
const beginsNoHeading = /^ {0,3}[ \t>#|-]|^[ \t]*$/;
/** https://vitepress.dev/guide/markdown, https://python-markdown.github.io/extensions/attr_list/, https://fumadocs.dev/docs/markdown */
const explicitId = /(?<![ \t])[ \t]*(?:\\?\{:?(?:[^{}#]*\s)?#([^\s{}\\]{1,200})[^{}]*\}|\[#([^\s\]]{1,200})\])[ \t]*$/;
/** Of sites that read MDX by code of their own, such as react.dev. */
const commentedId = /\{[ \t]?\/\*[ \t]{0,9}#?([\w.:-]{1,200})[ \t]{0,9}\*\/[ \t]?\}[ \t\r\n]*$/;
const shown = /<([A-Z][\w.]{0,50})\b[^<>]*>[^<>]*<\/\1>/g;
/** The patterns of marks may read a line many times. */
const maxHeadingLength = 2_000;
const closingMarks = /(?<![ \t])[ \t]+#+[ \t]*$/;

/** `prose` finds the headings, `text` has their code: both are of the same length. */
export function listHeadings(prose: string, text: string): Heading[] {
  const found = [
    // Code at its start is blank in the prose.
    ...Array.from(prose.matchAll(atx), ({ 0: whole, 1: marks = '', index }) => ({
      depth: marks.length,
      start: index,
      from: index + whole.length,
      to: endOfLine(text, index),
    })),
    ...listUnderlined(prose),
  ];
  return found
    .map(({ depth, start, from, to }) => ({ depth, start, ...readText(text.slice(from, to)) }))
    .toSorted((a, b) => a.start - b.start);
}

/** From the line below, because a pattern for both would read long lines again and again. */
const listUnderlined = (prose: string) =>
  Array.from(prose.matchAll(underline)).flatMap(({ 1: marks = '', index }) => {
    const to = Math.max(0, index - 1);
    const from = index === 0 ? 0 : prose.lastIndexOf('\n', to - 1) + 1;
    if (beginsNoHeading.test(prose.slice(from, to))) return [];
    return [{ depth: marks.startsWith('=') ? 1 : 2, start: from, from, to }];
  });

function readText(line: string) {
  const written = line
    .slice(0, maxHeadingLength)
    .replace(/<!--.{0,300}?-->|\{[ \t]?\/\*.{0,300}?\*\/[ \t]?\}/g, '')
    .trim()
    .replace(closingMarks, '');
  const explicit = explicitId.exec(written);
  const commented = commentedId.exec(line.slice(0, maxHeadingLength))?.[1];
  const text = explicit ? written.slice(0, explicit.index) : written;
  const bare = text.replace(shown, '');
  return {
    text: stripMarks(text),
    written: text,
    bareText: bare === text ? undefined : stripMarks(bare),
    id: explicit?.[1] ?? explicit?.[2] ?? commented,
  };
}

/** The text that a reader sees. Code is set aside: its marks are text. */
export function stripMarks(markdown: string): string {
  const spans: string[] = [];
  const prose = markdown.replace(/(`{1,9})[^`]*\1/g, (span, marks: string) => {
    spans.push(span.slice(marks.length, -marks.length).trim());
    return `\uE000${spans.length - 1}\uE001`;
  });
  return stripProse(prose)
    .replace(/\uE000(\d+)\uE001/g, (_, index: string) => spans[Number(index)] ?? '')
    .trim();
}

/** Decodes escapes and character references. */
const stripProse = (text: string) =>
  decodeString(
    text
      .replace(/!\[([^[\]]*)\]\((?:[^()]|\([^()]*\))*\)/g, '$1')
      .replace(/\[([^[\]]*)\](?:\((?:[^()]|\([^()]*\))*\)|\[[^[\]]*\])/g, '$1')
      .replace(/<\/?[A-Za-z][^<>]*>/g, '')
      .replace(/(\*\*|__|\*|~~)(?=\S)([^*_~]+?)\1/g, '$2')
      .replace(/(?<![\p{L}\p{N}])_([^_]+)_(?![\p{L}\p{N}])/gu, '$1'),
  );
