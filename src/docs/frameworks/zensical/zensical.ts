import { textOf } from '../../formats/yaml.ts';
import { type FileTree, joinPath } from '../../tree.ts';
import { containerAt } from '../edits/data-files.ts';
import { pagesRules } from '../edits/rules.ts';
import { type Framework, markedBy } from '../framework.ts';
import { awesomeNavigation, excludeRules, listCustomFolders, pythonMarkdown } from '../mkdocs/mkdocs.ts';
import { openMkDocsSite } from '../mkdocs/open-mkdocs.ts';
import type { SiteRules } from '../site-rules.ts';
import { readZensicalConfiguration } from './zensical-configuration.ts';

function openZensical(tree: FileTree, root: string): SiteRules[] {
  const configuration = readZensicalConfiguration(tree, root);
  const folder = joinPath(root, textOf(configuration.find('docs_dir')?.node) ?? 'docs') ?? root;
  return [openMkDocsSite(tree, { root, folder, file: configuration.files[0] ?? '', configuration })];
}

/** https://zensical.org/docs/setup/basics/ */
export const zensical: Framework = {
  name: 'Zensical',
  hasExactAddresses: true,
  markers: markedBy('zensical.toml'),
  sites: { open: openZensical },
  data: [
    {
      path: /^zensical\.toml$/,
      format: 'toml',
      what: 'nav, not_in_nav, exclude_docs and redirect_maps',
      containers: [
        containerAt(pagesRules, 'project', 'nav'),
        containerAt(pagesRules, 'project', 'not_in_nav'),
        containerAt(excludeRules, 'project', 'exclude_docs'),
        // https://zensical.org/docs/compatibility/mkdocs/plugins/
        containerAt(pagesRules, 'project', 'plugins', 'redirects', 'redirect_maps'),
      ],
    },
    awesomeNavigation,
  ],
  dialect: pythonMarkdown,
  templates: [/^overrides\//],
  listTemplateFolders: listCustomFolders,
  redirectForms: [
    {
      file: /^zensical\.toml$/,
      write: (from, to) => `[project.plugins.redirects.redirect_maps]\n"${from.path}" = "${to.path}"`,
    },
  ],
};
