import { containerAt, type DataFile } from '../edits/data-files.ts';
import type { EntryRules } from '../edits/entry-rules.ts';
import { isName, isPath, isTarget } from '../edits/values.ts';
import { type Framework, markedBy, type PageDialect, words } from '../framework.ts';
import { findQuartoSites, openQuarto } from './open-quarto.ts';

/** https://quarto.org/docs/reference/projects/websites.html, https://quarto.org/docs/reference/projects/books.html */
const navigation: EntryRules = {
  keys: words(`
    text href file section contents part chapters appendices menu id title subtitle icon aria-label target rel style auto
    left right center tools collapse-level align search pinned`),
  texts: ['text', 'title', 'subtitle', 'aria-label', 'id', 'style', 'align'],
  values: { icon: isName, file: isPath, auto: isPath, target: isTarget, rel: isName },
};

const configuration: DataFile = {
  path: /^_quarto(?:-[\w.-]+)?\.ya?ml$/,
  format: 'yaml',
  what: 'its sidebar, navbar, chapters and appendices',
  containers: [
    ...['navbar', 'sidebar', 'page-footer'].flatMap((key) => [
      containerAt(navigation, 'website', key),
      containerAt(navigation, 'book', key),
    ]),
    containerAt(navigation, 'book', 'chapters'),
    containerAt(navigation, 'book', 'appendices'),
  ],
};

const dialect: PageDialect = {
  markdown: 'pandoc',
  cells: 'braced',
  math: 'always',
  copiesFiles: true,
  templates: [{ language: 'quarto' }],
};

/** https://quarto.org/docs/reference/ */
export const quarto: Framework = {
  name: 'Quarto',
  markers: markedBy('_quarto.yml', '_quarto.yaml'),
  sites: { findRoots: findQuartoSites, open: (tree, root) => [openQuarto(tree, root)] },
  data: [configuration],
  dialect,
  templates: [/^_extensions\//],
  built: /^(?:_site|_book|_freeze|docs\/site_libs)\//,
};

/** Its sites are not read. https://rmarkdown.rstudio.com/docs/reference/render_site.html, https://pkgs.rstudio.com/bookdown/ */
export const rMarkdown: Framework = {
  name: 'R Markdown',
  markers: markedBy('_bookdown.yml', '_site.yml'),
  dialect,
  built: /^(?:_site|_book)\//,
};
