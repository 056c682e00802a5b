import { containerAt } from '../edits/data-files.ts';
import type { EntryRules } from '../edits/entry-rules.ts';
import { type Framework, markedBy } from '../framework.ts';
import { openMdbook } from './open-mdbook.ts';

const page = /^(?!\/\/)[\w./%#~-]+$/;
const address = /^https?:\/\/[\w.-]+(?::\d+)?(?:[/?#][^\s<>"'\\]*)?$/;

/** https://rust-lang.github.io/mdBook/format/configuration/renderers.html#outputhtmlredirect: each key is a file that mdBook writes. */
const redirects: EntryRules = {
  keys: [],
  otherKeys: /^\/(?!.*\.\.)[\w./%#~-]+$/,
  isClosed: true,
  links: [],
  values: { '*': (value) => typeof value === 'string' && (page.test(value) || address.test(value)) },
};

/** https://rust-lang.github.io/mdBook/format/configuration/general.html */
export const mdbook: Framework = {
  name: 'mdBook',
  markers: markedBy('book.toml'),
  sites: { open: (tree, root) => [openMdbook(tree, root)] },
  data: [
    {
      path: /^book\.toml$/,
      format: 'toml',
      what: 'its redirects',
      containers: [containerAt(redirects, 'output', 'html', 'redirect')],
    },
  ],
  dialect: { templates: [{ language: 'mdbook' }] },
  templates: [/^theme\//],
  redirectForms: [
    {
      file: /^book\.toml$/,
      // mdBook writes a page at the old address, and its link is relative to that page.
      isRelative: true,
      write: (from, to) => `[output.html.redirect]\n"${from.address}.html" = "${to.address}.html"`,
    },
  ],
};
