import { containerAt, type DataFile, type EntryRules, wholeFile } from '../edits/data-files.ts';
import { pagesRules } from '../edits/rules.ts';
import { type Framework, markedBy, type PageDialect } from '../framework.ts';
import { openMkDocs } from './open-mkdocs.ts';

/** A line that begins with `!` publishes what is left out, as files with a dot are. */
export const excludeRules: EntryRules = {
  keys: 'any',
  values: { '': (value: unknown) => !/^[^\S\r\n\u2028\u2029]*!/m.test(String(value)) },
};

const configuration: DataFile = {
  path: /^mkdocs[^/]*\.ya?ml$/,
  format: 'yaml',
  what: 'nav, not_in_nav, exclude_docs and redirect_maps',
  containers: [
    containerAt(pagesRules, 'nav'),
    containerAt(pagesRules, 'not_in_nav'),
    containerAt(excludeRules, 'exclude_docs'),
    // https://github.com/mkdocs/mkdocs-redirects
    containerAt(pagesRules, 'plugins', '*', 'redirects', 'redirect_maps'),
    containerAt(pagesRules, 'plugins', 'redirects', 'redirect_maps'),
  ],
};

/** https://github.com/lukasgeiter/mkdocs-awesome-nav */
export const awesomeNavigation = wholeFile(/(?:^|\/)\.(?:pages|nav\.ya?ml)$/, 'yaml', pagesRules);

/** Of Python-Markdown, with the plugins that run Jinja in pages. */
export const pythonMarkdown: PageDialect = {
  markdown: 'python',
  templates: [
    { language: 'snippets' },
    {
      language: 'liquid',
      contains:
        /macros|jinja|markdownextradata|exec|include-markdown|markdown_include|table-reader|external-markdown|g(?:it|h)-?snippet/i,
    },
  ],
};

const inherit = /^["']?INHERIT["']?[ \t]*:[ \t]*(?:!\S{1,99}[ \t]+)?["']?([^"'#\r\n]+)/gm;
const customFolder = /(?:^|[\s{,"'])custom_dir["']?[ \t]*[:=]\s*(?:!\S{1,99}\s+)?["']?([^"'#{},\r\n]+)/g;

/** `theme.custom_dir`, also where an alias or a merge key brings it along: https://www.mkdocs.org/user-guide/configuration/#theme */
export const listCustomFolders = (text: string): string[] =>
  Array.from(text.matchAll(customFolder), ([, folder = '']) => folder.trim());

/** https://www.mkdocs.org/user-guide/configuration/ */
export const mkdocs: Framework = {
  name: 'MkDocs',
  hasExactAddresses: true,
  markers: markedBy('mkdocs*.yml', 'mkdocs*.yaml'),
  sites: { open: openMkDocs },
  data: [configuration, awesomeNavigation],
  // https://www.mkdocs.org/user-guide/configuration/#configuration-inheritance
  configurationParts: {
    list: (text) => Array.from(text.matchAll(inherit), ([, file = '']) => file.trim()),
    file: configuration,
  },
  dialect: pythonMarkdown,
  templates: [/^overrides\//],
  listTemplateFolders: listCustomFolders,
  redirectForms: [
    { file: /^mkdocs[^/]*\.ya?ml$/, write: (from, to) => `redirect_maps:\n  ${from.path}: ${to.path}` },
    // A file that it inherits from may have any name.
    { file: /\.ya?ml$/, write: (from, to) => `redirect_maps:\n  ${from.path}: ${to.path}` },
  ],
};
