import type { EntryRules } from '../edits/entry-rules.ts';
import { type Framework, markedBy } from '../framework.ts';

/** https://mystmd.org/guide/table-of-contents, https://mystmd.org/guide/website-navigation */
const entries: EntryRules = {
  keys: ['file', 'title', 'short_title', 'children', 'url', 'hidden', 'slug'],
  texts: ['title', 'short_title'],
};

/** Its pages are read as on GitHub: their addresses depend on options and plugins. */
export const mystmd: Framework = {
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
};
