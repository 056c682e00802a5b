import type { Framework } from '../sites/framework.ts';
import { docusaurus } from './docusaurus/docusaurus.ts';
import { mintlify } from './mintlify/mintlify.ts';
import { mkdocs } from './mkdocs/mkdocs.ts';
import { fumadocs } from './next/fumadocs.ts';
import { nextra } from './next/nextra.ts';
import { starlight } from './starlight.ts';
import { gitbook } from './summary/gitbook.ts';
import { mdbook } from './summary/mdbook.ts';
import { vitepress } from './vitepress/vitepress.ts';

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
