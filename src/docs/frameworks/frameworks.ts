import { antora } from './antora/antora.ts';
import { docusaurus } from './docusaurus/docusaurus.ts';
import type { CodeFile, DataFile } from './edits/data-files.ts';
import { fern } from './fern/fern.ts';
import type { Framework } from './framework.ts';
import { hugo } from './hugo/hugo.ts';
import { jekyll } from './jekyll/jekyll.ts';
import { mintlify } from './mintlify/mintlify.ts';
import { mkdocs } from './mkdocs/mkdocs.ts';
import { fumadocs } from './next/fumadocs.ts';
import { next } from './next/next.ts';
import { nextra } from './next/nextra.ts';
import { docsify } from './others/docsify.ts';
import { gitbook, honkit } from './others/gitbook.ts';
import { mdbook } from './others/mdbook.ts';
import { nuxtContent } from './others/nuxt-content.ts';
import { rspress } from './others/rspress.ts';
import { unreadSites } from './others/unread-sites.ts';
import { vuepress } from './others/vuepress.ts';
import { zensical } from './others/zensical.ts';
import { quarto, rMarkdown } from './quarto/quarto.ts';
import { hosts } from './redirects/host-redirects.ts';
import { sphinx } from './sphinx/sphinx.ts';
import { astro } from './starlight/astro.ts';
import { starlight } from './starlight/starlight.ts';
import { summaryFile } from './summary-entries.ts';
import { vitepress } from './vitepress/vitepress.ts';

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
  sphinx,
  antora,
  docsify,
  rspress,
  vuepress,
  quarto,
  astro,
  // Most of their sites are not checked.
  next,
  ...unreadSites,
  rMarkdown,
  honkit,
];

// A place in these lists names a file where its rules cannot go, as between threads: they hold functions.

export const dataFiles: readonly DataFile[] = [
  summaryFile,
  ...hosts.map(({ data }) => data),
  ...frameworks.flatMap(({ data = [], configurationParts }) => [
    ...data,
    ...(configurationParts ? [configurationParts.file] : []),
  ]),
];

export const codeFiles: readonly CodeFile[] = frameworks.flatMap(({ code }) =>
  code ? [...code.files, code.imported] : [],
);
