import type { PageGrammar } from './grammars/nested-pages.ts';

/** What reads pages, and what it gets to read. */
export interface Reader {
  name: string;
  /** Of the repository, besides the pages: `docs/page-0.md` and so on. */
  files: Readonly<Record<string, string>>;
  extension?: 'md' | 'mdx' | 'mdoc' | 'rst' | 'adoc' | 'qmd';
  /** Given where the canary is outside of the repository. */
  grammar(outside: string): PageGrammar;
  /** How many texts are drawn at most, where a build takes long. */
  mostTexts?: number;
}

/** In a package of npm. */
export interface PackagedReader extends Reader {
  npm: string;
}

/** A real builder of pages. */
export interface Builder extends Reader {
  /** How to get it, where it is missing. */
  install: string;
  /** Prints its version. */
  probe: Command;
  /** Builds all pages of a folder. */
  build(folder: string): Command;
  /** The page that is made of `docs/page-0.md`. */
  output(name: string): string;
  /** Where the whole site is written. */
  site?: string;
}

export type Command = readonly [file: string, ...arguments_: string[]];
