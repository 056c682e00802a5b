import type { HighlighterCore, ThemeRegistration } from '@shikijs/core';
import type { ThreadTask } from '../../../threads/threads.ts';
import { type ColouredLine, type Kind, kinds } from './coloured-line.ts';

interface CodeText {
  /** A language of `findLanguage`. */
  language: string;
  text: string;
}

/** By kind: the names that TextMate's grammars give. https://macromates.com/manual/en/language_grammars#naming-conventions */
const scopes: Partial<Record<Kind, string[]>> = {
  heading: ['markup.heading', 'entity.name.section'],
  strong: ['markup.bold'],
  emphasis: ['markup.italic'],
  link: ['markup.underline.link', 'string.other.link'],
  string: ['string', 'markup.inline.raw', 'markup.raw'],
  comment: ['comment', 'punctuation.definition.comment'],
  keyword: ['keyword', 'storage', 'variable.language'],
  constant: ['constant', 'support.constant'],
  name: ['entity.name', 'support.function', 'support.class', 'support.type'],
  attribute: ['entity.other.attribute-name', 'support.type.property-name', 'meta.object-literal.key'],
  mark: ['punctuation.definition.list', 'punctuation.definition.heading', 'markup.list punctuation', 'meta.separator'],
};

/** A colour for each kind is only its number: pages have classes, because their policy allows no styles. */
const colourOf = (kind: Kind) => `#0000${kinds.indexOf(kind).toString(16).padStart(2, '0')}`;

const theme: ThemeRegistration = {
  name: 'kinds',
  type: 'light',
  fg: colourOf('text'),
  bg: '#ffffff',
  settings: [
    { settings: { foreground: colourOf('text') } },
    ...kinds.flatMap((kind) =>
      scopes[kind] ? [{ scope: scopes[kind], settings: { foreground: colourOf(kind) } }] : [],
    ),
  ],
};

/** A limit of time by line would cut a text anywhere on a busy machine; the thread has one for all of it. */
const limits = { tokenizeMaxLineLength: 1_000, tokenizeTimeLimit: 0 };

let opened: Promise<HighlighterCore> | undefined;
const loaded = new Map<string, Promise<void>>();

/** Colours each text line by line. Lines that are too long have none. Lines are those that `\n` ends. */
export async function colourTexts(texts: readonly CodeText[]): Promise<ColouredLine[][]> {
  opened ??= openHighlighter();
  const highlighter = await opened;
  const coloured: ColouredLine[][] = [];
  for (const { language, text } of texts) {
    const loading =
      loaded.get(language) ??
      import(import.meta.resolve(`@shikijs/langs/${language}`)).then(({ default: grammar }) =>
        highlighter.loadLanguage(grammar),
      );
    loaded.set(language, loading);
    await loading;
    const lines = highlighter.codeToTokensBase(text, { lang: language, theme: 'kinds', ...limits });
    coloured.push(lines.map(toLine));
  }
  return coloured;
}

/** Only the thread loads the highlighter. */
async function openHighlighter(): Promise<HighlighterCore> {
  const { createHighlighterCore } = await import('@shikijs/core');
  const { createJavaScriptRegexEngine } = await import('@shikijs/engine-javascript');
  return createHighlighterCore({
    themes: [theme],
    langs: [],
    engine: createJavaScriptRegexEngine({ forgiving: true }),
  });
}

function toLine(tokens: readonly { content: string; color?: string }[]): ColouredLine {
  const line: ColouredLine = [];
  for (const { content, color = '' } of tokens) {
    const kind = Number.parseInt(color.slice(1), 16) || 0;
    if (line.at(-1) === kind) line[line.length - 2] = (line.at(-2) ?? 0) + content.length;
    else line.push(content.length, kind);
  }
  return line;
}

/** Grammars of foreign texts backtrack: they run in a thread that is ended when it takes too long. */
export const colourTask: ThreadTask<readonly CodeText[], ColouredLine[][]> = {
  module: import.meta.url,
  work: colourTexts,
};
