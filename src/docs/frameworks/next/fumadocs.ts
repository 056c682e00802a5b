import { wholeFile } from '../edits/data-files.ts';
import type { EntryRules } from '../edits/entry-rules.ts';
import { navigationRules, titles } from '../edits/rules.ts';
import { oneOf } from '../edits/values.ts';
import { type Framework, markedBy, words } from '../framework.ts';
import { scriptNames } from '../scripts.ts';
import { next, nextImported } from './next.ts';
import { openFumadocs } from './open-fumadocs.ts';

/** https://fumadocs.dev/docs/ui/layouts/links */
const links: EntryRules = {
  keys: ['text', 'url', 'type', 'external', 'active', 'description', 'label', 'items', 'secondary', 'menu'],
  texts: titles,
  values: { type: oneOf('main menu button icon custom'), active: oneOf('url nested-url none') },
};

/** https://fumadocs.dev/docs/page-conventions */
export const fumadocs: Framework = {
  name: 'Fumadocs',
  hasExactAddresses: true,
  markers: [
    ...markedBy(...scriptNames('source.config')),
    ...['layout.shared.*', 'layout.config.*'].map((path) => ({ path, isOfPages: true }) as const),
  ],
  sites: { open: (tree, root) => [openFumadocs(tree, root)] },
  data: [wholeFile(/(?:^|\/)meta(?:\.[\w-]+)?\.json$/, 'json', navigationRules)],
  code: {
    files: [
      {
        path: /(?:^|\/)layout\.(?:config|shared)\.[jt]sx?$/,
        what: 'its links',
        containers: [
          { ...links, name: 'links', at: ['links'] },
          { ...links, name: 'links', at: [/^export .*links/i] },
        ],
      },
    ],
    imported: nextImported,
  },
  dialect: {
    // https://fumadocs.dev/docs/markdown
    components: words(`
      Callout CalloutContainer CalloutDescription CalloutTitle Card Cards CodeBlockTab CodeBlockTabs CodeBlockTabsList
      CodeBlockTabsTrigger`),
    names: ['frontmatter', 'toc', 'structuredData', 'lastModified', 'components'],
    needsTitle: true,
  },
  redirectForms: next.redirectForms ?? [],
};
