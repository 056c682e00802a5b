import { antora } from './antora/antora.ts';
import { docsify } from './docsify.ts';
import { docusaurus } from './docusaurus/docusaurus.ts';
import type { CodeFile, DataFile } from './edits/data-files.ts';
import { fern } from './fern/fern.ts';
import type { Framework } from './framework.ts';
import { gitbook, honkit } from './gitbook.ts';
import { hugo } from './hugo/hugo.ts';
import { jekyll } from './jekyll/jekyll.ts';
import { mdbook } from './mdbook.ts';
import { mintlify } from './mintlify/mintlify.ts';
import { mkdocs } from './mkdocs/mkdocs.ts';
import { fumadocs } from './next/fumadocs.ts';
import { next } from './next/next.ts';
import { nextra } from './next/nextra.ts';
import { nuxtContent } from './nuxt-content.ts';
import { quarto, rMarkdown } from './quarto/quarto.ts';
import { hosts } from './redirects/host-redirects.ts';
import { rspress } from './rspress.ts';
import { sphinx } from './sphinx/sphinx.ts';
import { astro } from './starlight/astro.ts';
import { starlight } from './starlight/starlight.ts';
import { summaryFile } from './summary-entries.ts';
import { unreadSites } from './unread-sites.ts';
import { vitepress } from './vitepress/vitepress.ts';
import { vuepress } from './vuepress.ts';
import { zensical } from './zensical.ts';

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
