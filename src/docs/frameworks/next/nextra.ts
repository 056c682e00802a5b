import { wholeFile } from '../edits/data-files.ts';
import type { EntryRules } from '../edits/entry-rules.ts';
import { namesRules, titles } from '../edits/rules.ts';
import { oneOf } from '../edits/values.ts';
import type { Framework } from '../framework.ts';
import { scriptNames } from '../scripts.ts';
import { next, nextImported } from './next.ts';
import { openNextra } from './open-nextra.ts';

/** A page may have any name; `theme` only shows and hides parts of it. */
const entries: EntryRules = {
  keys: 'any',
  texts: titles,
  values: { type: oneOf('page menu separator doc'), display: oneOf('normal hidden children') },
};

/** https://nextra.site/docs/file-conventions; version 3 has `pages/`: https://nextra.site/docs/docs-theme/start */
export const nextra: Framework = {
  name: 'Nextra',
  hasExactAddresses: true,
  markers: [
    ...scriptNames('next.config').map((path) => ({ path, contains: /nextra/ })),
    ...['theme.config.*', '_meta.*'].map((path) => ({ path, isOfPages: true }) as const),
  ],
  sites: { open: (tree, root) => [openNextra(tree, root)] },
  // https://nextra.site/docs/file-conventions/meta-file
  data: [
    wholeFile(/(?:^|\/)_meta(?:\.[\w-]+)?\.json$/, 'json', { ...namesRules, links: ['href', 'url', 'link', 'src'] }),
  ],
  code: {
    files: [
      {
        path: /(?:^|\/)_meta(?:\.[\w-]+)?\.[cm]?[jt]sx?$/,
        what: 'its entries',
        containers: [{ ...entries, name: 'entries', at: [], holdsPages: true, displayKeys: ['theme'] }],
      },
    ],
    imported: nextImported,
  },
  dialect: {
    isMdx: 'maybe',
    // https://nextra.site/docs/guide/markdown
    components: ['Head'],
    names: ['metadata', 'toc', 'frontMatter', 'components'],
    // https://nextra.site/docs/file-conventions/mdx-components-file: other files make components for pages of their own.
    registry: /(?:^|\/)mdx-components\.[cm]?[jt]sx?$/,
  },
  redirectForms: next.redirectForms ?? [],
};
