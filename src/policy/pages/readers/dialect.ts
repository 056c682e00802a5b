import type { PageDialect, TemplateLanguage } from '../../../docs/frameworks/framework.ts';
import { extensionOf } from '../../../docs/page-extensions.ts';
import type { Root } from '../../places/find-roots.ts';

/** How the sites of a page read it, all of them together. */
export interface Dialect {
  /** Each reads the page for itself: what is live for one of them is live. */
  syntaxes: readonly Markup[];
  /** `blocks`: `::: v-pre` shows templates as they are. `mounted`: each element of the page is a component for itself. */
  vue: boolean | 'blocks' | 'mounted';
  /** Braces in text and attributes hold expressions: Svelte. */
  braces: boolean;
  /** Markdown has components of its own: Nuxt. */
  mdc: boolean;
  /** Languages that are expanded in the source of the page, in code blocks too. */
  templates: readonly TemplateLanguage[];
  /** Marks, other than braces, by which a configuration has templates begin. */
  marks: readonly string[];
  /** Components of the framework that every page may use. */
  components: readonly string[];
  /** Layouts that every site of the page has by itself. */
  layouts: readonly string[];
  /** Where formulas are text: between `$$`, and between single signs, too. */
  math: 'blocks' | 'inline' | undefined;
  /** Readers with rules of their own for code blocks and raw HTML. */
  markdown: readonly MarkdownReader[];
  /** Blocks of code that run: those with a language in braces, or all. */
  cells: 'braced' | 'every' | undefined;
  /** Words behind the language of a code block are its title for every site. */
  titlesCode: boolean;
  /** A build copies the files that links and images name. */
  copiesFiles: boolean;
  /** No framework is known: outside of code, any template may be live. */
  isUnknown: boolean;
}

export type Markup = 'mdx' | 'markdown' | 'restructuredtext' | 'asciidoc';

export type MarkdownReader =
  | 'commonmark'
  | 'python'
  | 'superfences'
  | 'markdown in html'
  | 'kramdown'
  | 'plain kramdown'
  | 'pandoc'
  /** Four blanks are no code. */
  | 'unindented';

type Site = Pick<Root, 'framework' | 'text'>;

/** How the sites with these roots may read a page, taken together: what is live for one of them is live. */
export function describeDialect(path: string, roots: readonly Site[]): Dialect {
  const extension = extensionOf(path);
  const dialects = roots.map(({ framework }) => framework.dialect ?? {});
  const syntaxes = findSyntaxes(extension, roots);
  const templates = roots.flatMap(({ framework: { dialect = {} }, text }) =>
    (dialect.templates ?? []).flatMap(({ language, contains, only }) =>
      contains?.test(text) === false || (only !== undefined && !syntaxes.includes(only)) ? [] : [language],
    ),
  );
  return {
    syntaxes,
    vue: extension !== 'mdx' && findVue(dialects),
    braces: dialects.some(({ svelte }) => svelte) && extension !== 'mdx',
    mdc: dialects.some(({ mdc }) => mdc),
    templates: [...new Set([...templates, ...(ofExtension[extension] ?? [])])],
    marks: [...new Set(roots.flatMap(({ text }) => Array.from(text.matchAll(mark), ([, written = '']) => written)))],
    components: [...new Set(dialects.flatMap(({ components = [] }) => components))],
    layouts: (dialects[0]?.layouts ?? []).filter((name) => dialects.every(({ layouts }) => layouts?.includes(name))),
    math: findMath(roots),
    markdown: [...findReaders(roots), ...(isPandoc(extension) ? (['pandoc'] as const) : [])],
    cells: findCells(extension, dialects),
    copiesFiles: dialects.some(({ copiesFiles }) => copiesFiles),
    titlesCode: roots.length > 0 && dialects.every(({ titlesCode }) => titlesCode),
    isUnknown: roots.length === 0,
  };
}

/** Of Jinja in MkDocs, Liquid and Nunjucks in Eleventy, Vue. */
const mark =
  /(?:j2_\w{1,20}_start_string|opening_tag|DelimiterLeft|variableStart|blockStart|delimiters)["']?\s{0,9}[:=]\s{0,9}\[?\s{0,9}["']?(?!\{[{%#]["'\s])([^\s"',\]]{1,20})/g;

/** Extensions that one tool alone reads. */
const ofExtension: Record<string, TemplateLanguage[]> = { mdoc: ['markdoc'], qmd: ['quarto'], rmd: ['quarto'] };

function findVue(dialects: readonly PageDialect[]): Dialect['vue'] {
  const found = dialects.filter(({ vue }) => vue);
  if (found.some(({ vue }) => vue === 'optional')) return 'mounted';
  return found.length > 0 && (found.every(({ vueBlocks }) => vueBlocks) ? 'blocks' : true);
}

function findCells(extension: string, dialects: readonly PageDialect[]): Dialect['cells'] {
  const found = dialects.map(({ cells }) => cells);
  if (found.includes('every')) return 'every';
  return found.includes('braced') || isPandoc(extension) ? 'braced' : undefined;
}

/** Of Quarto and R Markdown, wherever they are. */
const isPandoc = (extension: string): boolean => extension === 'qmd' || extension === 'rmd';

function findSyntaxes(extension: string, roots: readonly Site[]): Markup[] {
  if (extension === 'mdx') return ['mdx'];
  if (['rst', 'txt', 'po', 'pot'].includes(extension)) return ['restructuredtext'];
  if (isPandoc(extension)) return ['markdown'];
  if (extension === 'adoc' || extension === 'asciidoc') return ['asciidoc'];
  // A site of MDX may read a page as Markdown: by its front matter, or by its configuration.
  const isMdx = roots.map(({ framework }) => framework.dialect?.isMdx);
  if (isMdx.every((each) => each === undefined)) return ['markdown'];
  return isMdx.every((each) => each === 'always') ? ['mdx'] : ['mdx', 'markdown'];
}

const plugin =
  /remark-?math|rehype-?(?:katex|mathjax)|katex|mathjax|arithmatex|\blatex["']?\s{0,9}[:=]|\bmath["']?\s{0,9}[:=]|dollarmath|amsmath/i;
const onlyBlocks = /singleDollarTextMath["']?\s{0,9}:\s{0,9}false/;

function findMath(roots: readonly Site[]): Dialect['math'] {
  const found = roots.map(({ framework: { dialect }, text }) => {
    if (dialect?.math === 'always' || plugin.test(text)) return onlyBlocks.test(text) ? 'blocks' : 'inline';
    return dialect?.markdown === 'kramdown' ? 'blocks' : undefined;
  });
  // What is a formula for one site is text for another.
  if (found.length === 0 || found.includes(undefined)) return undefined;
  return found.includes('blocks') ? 'blocks' : 'inline';
}

/** Jekyll reads kramdown as GitHub does, unless its configuration names another input. */
const otherInput = /\binput["']?\s{0,9}:\s{0,9}["']?(?!gfm)\w/i;

function findReaders(roots: readonly Site[]): MarkdownReader[] {
  const kinds = roots.map(({ framework }) => framework.dialect?.markdown ?? 'commonmark');
  const python = roots.filter(({ framework }) => framework.dialect?.markdown === 'python');
  const readers = new Set<MarkdownReader>(kinds.length === 0 ? ['commonmark'] : kinds);
  if (python.length > 0 && python.every(({ text }) => /superfences/.test(text))) readers.add('superfences');
  if (python.length > 0 && python.every(({ text }) => /md_in_html|\bextra\b/.test(text)))
    readers.add('markdown in html');
  if (roots.some(({ framework, text }) => framework.dialect?.markdown === 'kramdown' && otherInput.test(text)))
    readers.add('plain kramdown');
  return [...readers];
}
