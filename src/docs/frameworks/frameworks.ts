import { docusaurus } from './docusaurus/docusaurus.ts';
import { fern } from './fern/fern.ts';
import type { Framework } from './framework.ts';
import { gitbook, honkit } from './gitbook/gitbook.ts';
import { hugo } from './hugo/hugo.ts';
import { jekyll } from './jekyll/jekyll.ts';
import { mdbook } from './mdbook/mdbook.ts';
import { mintlify } from './mintlify/mintlify.ts';
import { mkdocs } from './mkdocs/mkdocs.ts';
import { fumadocs } from './next/fumadocs.ts';
import { next } from './next/next.ts';
import { nextra } from './next/nextra.ts';
import { nuxtContent } from './nuxt/nuxt-content.ts';
import { docsify, mdsvex } from './others/docsify.ts';
import { eleventy } from './others/eleventy.ts';
import { sphinx } from './others/sphinx.ts';
import { zola } from './others/zola.ts';
import { starlight } from './starlight/starlight.ts';
import { vitepress, vuepress } from './vitepress/vitepress.ts';
import { zensical } from './zensical/zensical.ts';

/** A new framework is one entry here. Of two with the same root, the first has its pages. */
export const frameworks: readonly Framework[] = [
  mintlify,
  docusaurus,
  vitepress,
  zensical,
  mkdocs,
  starlight,
  fumadocs,
  nextra,
  mdbook,
  gitbook,
  hugo,
  fern,
  nuxtContent,
  jekyll,
  // Their sites are not checked yet.
  vuepress,
  next,
  zola,
  eleventy,
  sphinx,
  docsify,
  mdsvex,
  honkit,
];
