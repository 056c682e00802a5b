import type { TemplateLanguage } from '../../../docs/frameworks/framework.ts';

/** How the sites of a page read it, all of them together. */
export interface Dialect {
  /** Each reads the page for itself: what is live for one of them is live. */
  syntaxes: readonly PageSyntax[];
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

export type PageSyntax = 'mdx' | 'markdown' | 'restructuredtext' | 'asciidoc';

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
