import { containerAt } from '../edits/data-files.ts';
import { pagesRules } from '../edits/rules.ts';
import { type Framework, markedBy } from '../framework.ts';
import { openAntora } from './open-antora.ts';

/** https://docs.antora.org/antora/latest/component-version-descriptor/ */
export const antora: Framework = {
  name: 'Antora',
  markers: markedBy('antora.yml'),
  sites: { open: (tree, root) => [openAntora(tree, root)] },
  data: [
    {
      path: /^antora\.yml$/,
      format: 'yaml',
      what: 'nav and start_page',
      containers: [containerAt(pagesRules, 'nav'), containerAt(pagesRules, 'start_page')],
    },
  ],
};
