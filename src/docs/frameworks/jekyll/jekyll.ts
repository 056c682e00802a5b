import { wholeFile } from '../edits/data-files.ts';
import { namesRules } from '../edits/rules.ts';
import { type Framework, markedBy } from '../framework.ts';
import { isJekyllSite, openJekyll } from './open-jekyll.ts';

/** https://jekyllrb.com/docs/datafiles/ */
export const jekyll: Framework = {
  name: 'Jekyll',
  hasExactAddresses: true,
  markers: markedBy('_config.yml', '_config.yaml', '_config.toml'),
  sites: {
    findRoots: (tree, marked) => marked.filter((root) => isJekyllSite(tree, root)),
    open: (tree, root) => [openJekyll(tree, root)],
  },
  data: [wholeFile(/^_data\/.+\.ya?ml$/, 'yaml', namesRules), wholeFile(/^_data\/.+\.json$/, 'json', namesRules)],
  dialect: { templates: [{ language: 'liquid' }], markdown: 'kramdown' },
  templates: [/^_(?:sass|plugins)\//],
  built: /^_site\//,
};
