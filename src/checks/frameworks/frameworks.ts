import type { Framework } from '../sites/framework.ts';
import { docusaurus } from './docusaurus.ts';
import { fumadocs } from './fumadocs.ts';
import { gitbook } from './gitbook.ts';
import { mdbook } from './mdbook.ts';
import { mintlify } from './mintlify.ts';
import { mkdocs } from './mkdocs.ts';
import { nextra } from './nextra.ts';
import { starlight } from './starlight.ts';
import { vitepress } from './vitepress.ts';

/** A new framework is one file and one line here. Of two with the same root, the first has its pages. */
export const frameworks: readonly Framework[] = [
  mintlify,
  docusaurus,
  vitepress,
  mkdocs,
  starlight,
  fumadocs,
  nextra,
  mdbook,
  gitbook,
];
