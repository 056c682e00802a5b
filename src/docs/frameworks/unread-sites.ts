import type { EntryRules } from './edits/data-files.ts';
import { type Framework, markedBy } from './framework.ts';
import { scriptNames } from './scripts.ts';

/** https://mystmd.org/guide/table-of-contents, https://mystmd.org/guide/website-navigation */
const entries: EntryRules = {
  keys: ['file', 'title', 'short_title', 'children', 'url', 'hidden', 'slug'],
  texts: ['title', 'short_title'],
};

/** Frameworks whose pages are read as on GitHub: their addresses depend on options, plugins and code. */
export const unreadSites: readonly Framework[] = [
  {
    name: 'MyST',
    markers: markedBy('myst.yml'),
    data: [
      {
        path: /^myst\.yml$/,
        format: 'yaml',
        what: 'toc and nav',
        containers: [
          { ...entries, at: ['project', 'toc'] },
          { ...entries, at: ['site', 'nav'] },
        ],
      },
    ],
    dialect: { copiesFiles: true },
    built: /^_build\//,
  },
  // https://www.getzola.org/documentation/getting-started/configuration/
  {
    name: 'Zola',
    markers: [{ path: 'config.toml', contains: /^base_url\s*=/m }],
    dialect: { templates: [{ language: 'zola' }] },
  },
  // https://www.11ty.dev/docs/config/, https://www.11ty.dev/docs/languages/markdown/#indented-code-blocks
  {
    name: 'Eleventy',
    markers: markedBy('.eleventy.js', ...scriptNames('eleventy', 'eleventy.config', '.eleventy.config')),
    dialect: { markdown: 'unindented', templates: [{ language: 'liquid' }] },
  },
  // https://mdsvex.pngwn.io/docs
  {
    name: 'mdsvex',
    markers: ['svelte.config.js', 'svelte.config.ts'].map((path) => ({ path, contains: /mdsvex/ })),
    dialect: { svelte: true, markdown: 'unindented', copiesFiles: true },
  },
  // https://observablehq.com/framework/markdown: code blocks of its languages run, and so does what stands in `${…}`.
  {
    name: 'Observable Framework',
    markers: markedBy(...scriptNames('observablehq.config')),
    dialect: { cells: 'every', copiesFiles: true },
  },
];
