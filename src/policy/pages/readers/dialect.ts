import type { TemplateLanguage } from '../../../docs/frameworks/framework.ts';

/** How the site of a page reads it. */
export interface Dialect {
  syntax: 'mdx' | 'markdown' | 'restructuredtext' | 'asciidoc';
  vue: boolean;
  /** Braces in text and attributes hold expressions: Svelte. */
  braces: boolean;
  /** Languages that are expanded in the source of the page, in code blocks too. */
  templates: readonly TemplateLanguage[];
  /** Components of the framework that every page may use. */
  components: readonly string[];
}
