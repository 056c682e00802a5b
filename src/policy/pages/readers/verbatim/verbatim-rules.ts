import type { MarkdownReader } from '../dialect.ts';

/** Who reads a page, as far as it matters to what is code. */
export interface VerbatimRules {
  isMdx: boolean;
  readers: readonly MarkdownReader[];
  math: 'blocks' | 'inline' | undefined;
}
