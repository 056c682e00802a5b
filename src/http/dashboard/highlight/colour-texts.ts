import type { HighlighterCore, ThemeRegistration } from '@shikijs/core';
import type { ThreadTask } from '../../../threads/threads.ts';
import { type Html, html } from '../../pages/html.ts';

export interface CodeText {
  /** A language of `findLanguage`. */
  language: string;
  text: string;
}

/**
 * What a part of a text is, for its colour: the name of its class without `t-`, and the names that TextMate's grammars give. The first is the
 * text itself. https://macromates.com/manual/en/language_grammars#naming-conventions
 */
const kinds: [name: string, scopes: string[]][] = [
  ['text', []],
  ['heading', ['markup.heading', 'entity.name.section']],
  ['strong', ['markup.bold']],
  ['emphasis', ['markup.italic']],
  ['link', ['markup.underline.link', 'string.other.link']],
  ['string', ['string', 'markup.inline.raw', 'markup.raw']],
  ['comment', ['comment', 'punctuation.definition.comment']],
  ['keyword', ['keyword', 'storage', 'variable.language']],
  ['constant', ['constant', 'support.constant']],
  ['name', ['entity.name', 'support.function', 'support.class', 'support.type']],
  ['attribute', ['entity.other.attribute-name', 'support.type.property-name', 'meta.object-literal.key']],
  [
    'mark',
    ['punctuation.definition.list', 'punctuation.definition.heading', 'markup.list punctuation', 'meta.separator'],
  ],
];

/** A colour for each kind is only its number: pages have classes, because their policy allows no styles. */
const colourOf = (index: number) => `#0000${index.toString(16).padStart(2, '0')}`;

const theme: ThemeRegistration = {
  name: 'kinds',
  type: 'light',
  fg: colourOf(0),
  bg: '#ffffff',
  settings: kinds.map(([, scope], index) => ({
    ...(scope.length > 0 && { scope }),
    settings: { foreground: colourOf(index) },
  })),
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

/** A line: how long each part is, and the number of its kind, by turns. */
export type ColouredLine = number[];

/** `from` and `to`: the part that is marked as changed; none if they are the same. */
export function renderColoured(
  text: string,
  line: ColouredLine | undefined,
  { from, to }: { from: number; to: number } = { from: 0, to: 0 },
): Html {
  if (from >= to) return html`${renderParts(text, line, 0, text.length)}`;
  return html`${renderParts(text, line, 0, from)}<mark>${renderParts(text, line, from, to)}</mark>${renderParts(text, line, to, text.length)}`;
}

function renderParts(text: string, line: ColouredLine | undefined, from: number, to: number): Html | string {
  if (from >= to) return '';
  if (!line) return text.slice(from, to);
  const parts: (Html | string)[] = [];
  let start = 0;
  for (let index = 0; index < line.length && start < to; index += 2) {
    const end = start + (line[index] ?? 0);
    const part = text.slice(Math.max(start, from), Math.min(end, to));
    const [kind = 'text'] = kinds[line[index + 1] ?? 0] ?? [];
    if (part !== '') parts.push(kind === 'text' ? part : html`<span class="t-${kind}">${part}</span>`);
    start = end;
  }
  if (start < to) parts.push(text.slice(Math.max(start, from), to));
  return html`${parts}`;
}

/** The grammar of a file, by its ending. Only these are loaded. */
const languages: Record<string, readonly string[]> = {
  markdown: ['md', 'mdx', 'markdown', 'qmd', 'mdc', 'mdoc'],
  rst: ['rst'],
  asciidoc: ['adoc', 'asciidoc'],
  yaml: ['yml', 'yaml'],
  json: ['json', 'jsonc', 'json5'],
  toml: ['toml'],
  javascript: ['js', 'mjs', 'cjs', 'jsx'],
  typescript: ['ts', 'mts', 'cts', 'tsx'],
  bash: ['sh', 'bash', 'zsh', 'shell', 'console', 'shellscript'],
  python: ['py', 'python'],
  html: ['html', 'htm'],
  css: ['css'],
  xml: ['xml', 'svg'],
  go: ['go'],
  rust: ['rs', 'rust'],
  java: ['java'],
  ruby: ['rb', 'ruby'],
  php: ['php'],
  csharp: ['cs', 'csharp'],
  sql: ['sql'],
  graphql: ['graphql', 'gql'],
  http: ['http'],
  docker: ['dockerfile', 'docker'],
  ini: ['ini', 'env', 'properties'],
};

const byName = new Map(
  Object.entries(languages).flatMap(([language, names]) =>
    [language, ...names].map((name): [string, string] => [name, language]),
  ),
);

/** Takes a path, or the name after a fence. Undefined: it has no colours. */
export function findLanguage(name: string): string | undefined {
  const [file = ''] = name.toLowerCase().split('/').slice(-1);
  return byName.get(file.slice(file.lastIndexOf('.') + 1));
}
