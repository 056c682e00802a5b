import { containerAt } from '../edits/data-files.ts';
import { pagesRules } from '../edits/rules.ts';
import { type Framework, markedBy } from '../framework.ts';
import { findSpaces, openGitbook } from './open-gitbook.ts';

/** https://gitbook.com/docs/getting-started/git-sync/content-configuration */
export const gitbook: Framework = {
  name: 'GitBook',
  markers: markedBy('summary.md', '.gitbook.yaml', '.gitbook.yml', '.gitbook/'),
  sites: { findRoots: findSpaces, open: (tree, root) => [openGitbook(tree, root)] },
  data: [
    {
      path: /^\.gitbook\.ya?ml$/,
      format: 'yaml',
      what: 'its redirects',
      containers: [containerAt(pagesRules, 'redirects')],
    },
  ],
  dialect: { templates: [{ language: 'gitbook' }], blocks: 'tags' },
  redirectForms: [
    { file: /^\.gitbook\.ya?ml$/, write: (from, to) => `redirects:\n  ${from.address.slice(1)}: ${to.path}` },
  ],
};

/** Its predecessor, which runs Nunjucks in pages: https://honkit.netlify.app/templating/ */
export const honkit: Framework = {
  name: 'HonKit',
  markers: markedBy('book.json', 'book.js'),
  dialect: { templates: [{ language: 'liquid' }] },
};
