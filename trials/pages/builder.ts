import type { PageGrammar } from './grammars/nested-pages.ts';

/** A real builder of pages, and what it gets to build. */
export interface Builder {
  name: string;
  /** How to get it, where it is missing. */
  install: string;
  /** Prints its version. */
  probe: Command;
  /** Of the repository, besides the pages: `docs/page-0.md` and so on. */
  files: Readonly<Record<string, string>>;
  extension: 'md' | 'mdx' | 'mdoc' | 'rst' | 'adoc' | 'qmd';
  /** Given where the canary is outside of the repository. */
  grammar(outside: string): PageGrammar;
  /** Builds all pages of a folder. */
  build(folder: string): Command;
  /** The page that is made of `docs/page-0.md`. */
  output(name: string): string;
  /** Where the whole site is written. */
  site?: string;
  /** How many texts are drawn at most, where a build takes long. */
  mostTexts?: number;
}

export type Command = readonly [file: string, ...arguments_: string[]];
