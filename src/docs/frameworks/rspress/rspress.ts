import { wholeFile } from '../edits/data-files.ts';
import { navigationRules } from '../edits/rules.ts';
import { type Framework, markedBy } from '../framework.ts';
import { scriptNames } from '../scripts.ts';
import { openRspress } from './open-rspress.ts';

const entries = {
  ...navigationRules,
  keys: [...navigationRules.keys, 'text', 'overviewHeaders', 'context', 'dashed'],
  texts: [...navigationRules.texts, 'text'],
};

/** https://rspress.rs/api/config/config-basic */
export const rspress: Framework = {
  name: 'Rspress',
  hasExactAddresses: true,
  markers: [
    ...markedBy(...scriptNames('rspress.config')),
    // https://github.com/rstackjs/rstack: one configuration for all tools.
    ...scriptNames('rstack.config').map((path) => ({ path, contains: /\bdefine\.doc\(/ })),
  ],
  sites: { open: (tree, root) => [openRspress(tree, root)] },
  data: [wholeFile(/(?:^|\/)_(?:meta|nav)\.json$/, 'json', entries)],
  dialect: { isMdx: 'maybe', copiesFiles: true, mdx: { headingIds: true, comments: true }, components: [] },
  built: /^doc_build\//,
};
