import type { CodeFileName } from '../code/code-files.ts';
import {
  bookRules,
  type Container,
  type DataFile,
  metaRules,
  namesRules,
  navigationRules,
  redirectRules,
} from '../data/data-files.ts';

type FrameworkFile = DataFile & { path: RegExp };

/** What one documentation framework brings along. Paths are relative to the framework's root, in lower case. */
export interface Framework {
  name: string;
  /** A file whose name matches makes its folder, without `under`, a root of the framework. */
  marker: RegExp;
  /** Folders between the root and the marker. */
  under?: string;
  files?: readonly FrameworkFile[];
  /** Code of which the data may change, and what such code imports. */
  code?: { files: readonly CodeFileName[]; imported: CodeFileName };
  /** Folders of templates, which a build runs. */
  templates?: readonly RegExp[];
}

const all = (rules: Omit<Container, 'at'>): Container[] => [{ ...rules, at: [] }];
const at = (rules: Omit<Container, 'at'>, ...keys: string[]): Container => ({ ...rules, at: keys });
const wholeData = 'its entries';
const pagesRules = { keys: 'any' } as const;
/** A line that begins with `!` publishes what is left out, as files with a dot are. */
const excludeRules = {
  keys: 'any',
  values: { '': (value: unknown) => !/^[^\S\r\n\u2028\u2029]*!/m.test(String(value)) },
} as const;
const menuRules = { ...navigationRules, keys: 'any' } as const;

/** Web hosts that any framework may use: read at the roots of frameworks, and at the top. */
export const hostFiles: readonly FrameworkFile[] = [
  { path: /^netlify\.toml$/, format: 'toml', what: 'its redirects', containers: [at(redirectRules, 'redirects')] },
  { path: /^vercel\.json$/, format: 'json', what: 'its redirects', containers: [at(redirectRules, 'redirects')] },
  { path: /^(?:(?:static|public)\/)?_redirects$/, format: 'redirects', what: 'its redirects', containers: [] },
];

export const frameworks: readonly Framework[] = [
  {
    // https://www.mintlify.com/docs/organize/settings
    name: 'Mintlify',
    marker: /^(?:docs|mint)\.json$/,
    files: [
      {
        path: /^(?:docs|mint)\.json$/,
        format: 'json',
        what: 'its navigation and redirects',
        containers: [
          ...['navigation', 'tabs', 'anchors', 'versions'].map((key) => at(navigationRules, key)),
          at(redirectRules, 'redirects'),
        ],
      },
    ],
  },
  {
    // https://docusaurus.io/docs/sidebar
    name: 'Docusaurus',
    marker: /^docusaurus\.config\.[cm]?[jt]s$/,
    code: { files: ['docusaurus', 'docusaurusSidebars'], imported: 'docusaurusPart' },
    files: [
      { path: /(?:^|\/)_category_\.json$/, format: 'json', what: wholeData, containers: all(navigationRules) },
      { path: /(?:^|\/)_category_\.ya?ml$/, format: 'yaml', what: wholeData, containers: all(navigationRules) },
      {
        path: /^(?:sidebars|versioned_sidebars\/[^/]+)\.json$/,
        format: 'json',
        what: wholeData,
        containers: all(menuRules),
      },
      { path: /^i18n\/.+\.json$/, format: 'json', what: 'its texts', containers: all(namesRules) },
    ],
  },
  // https://vitepress.dev/reference/site-config, https://vuepress.vuejs.org/reference/config.html
  ...['.vitepress', '.vitepress/config', '.vuepress', '.vuepress/config'].map((under) => ({
    name: under.startsWith('.vite') ? 'VitePress' : 'VuePress',
    marker: under.endsWith('config') ? /^index\.[cm]?[jt]s$/ : /^config\.[cm]?[jt]s$/,
    under,
    code: { files: ['vitepress'], imported: 'vitepressPart' } as const,
  })),
  {
    // https://www.mkdocs.org/user-guide/configuration/, https://github.com/mkdocs/mkdocs-redirects
    name: 'MkDocs',
    marker: /^mkdocs[^/]*\.ya?ml$/,
    files: [
      {
        path: /^mkdocs[^/]*\.ya?ml$/,
        format: 'yaml',
        what: 'nav, not_in_nav, exclude_docs and redirect_maps',
        containers: [
          at(pagesRules, 'nav'),
          at(pagesRules, 'not_in_nav'),
          at(excludeRules, 'exclude_docs'),
          at(pagesRules, 'plugins', '*', 'redirects', 'redirect_maps'),
          at(pagesRules, 'plugins', 'redirects', 'redirect_maps'),
        ],
      },
      // https://github.com/lukasgeiter/mkdocs-awesome-nav
      { path: /(?:^|\/)\.(?:pages|nav\.ya?ml)$/, format: 'yaml', what: wholeData, containers: all(pagesRules) },
    ],
    templates: [/^overrides\//],
  },
  {
    // https://starlight.astro.build/guides/i18n/
    name: 'Starlight',
    marker: /^astro\.config\.[cm]?[jt]s$/,
    code: { files: ['starlight'], imported: 'starlightPart' },
    files: [
      { path: /^src\/content\/i18n\/[^/]+\.json$/, format: 'json', what: 'its texts', containers: all(namesRules) },
    ],
  },
  {
    // https://nextra.site/docs/file-conventions/meta-file, https://fumadocs.dev/docs/page-conventions
    name: 'Nextra and Fumadocs',
    marker: /^(?:next\.config|source\.config)\.[cm]?[jt]s$/,
    code: { files: ['next', 'nextraMeta', 'fumadocsLayout'], imported: 'nextPart' },
    files: [
      { path: /(?:^|\/)meta(?:\.[\w-]+)?\.json$/, format: 'json', what: wholeData, containers: all(navigationRules) },
      { path: /(?:^|\/)_meta(?:\.[\w-]+)?\.json$/, format: 'json', what: wholeData, containers: all(metaRules) },
    ],
  },
  {
    // https://gitbook.com/docs/getting-started/git-sync/content-configuration
    name: 'GitBook',
    marker: /^(?:\.gitbook\.yaml|summary\.md)$/,
    files: [
      {
        path: /^\.gitbook\.yaml$/,
        format: 'yaml',
        what: 'its redirects',
        containers: [at(pagesRules, 'redirects')],
      },
    ],
  },
  {
    name: 'mdBook',
    marker: /^book\.toml$/,
    files: [
      {
        path: /^book\.toml$/,
        format: 'toml',
        what: 'its redirects',
        containers: [at(bookRules, 'output', 'html', 'redirect')],
      },
    ],
    templates: [/^theme\//],
  },
  {
    // https://jekyllrb.com/docs/datafiles/
    name: 'Jekyll',
    marker: /^_config\.ya?ml$/,
    files: [
      { path: /^_data\/.+\.ya?ml$/, format: 'yaml', what: wholeData, containers: all(namesRules) },
      { path: /^_data\/.+\.json$/, format: 'json', what: wholeData, containers: all(namesRules) },
    ],
    templates: [/^_(?:sass|plugins)\//],
  },
  {
    // https://gohugo.io/content-management/menus/
    name: 'Hugo',
    marker: /^(?:hugo|config)\.(?:toml|ya?ml|json)$/,
    files: hugoFiles(''),
    templates: [/^(?:layouts|archetypes|themes)\//],
  },
  {
    name: 'Hugo',
    marker: /^(?:hugo|config)\.(?:toml|ya?ml|json)$/,
    under: 'config/_default',
    files: hugoFiles('config/_default/'),
    templates: [/^(?:layouts|archetypes|themes)\//],
  },
  { name: 'Sphinx', marker: /^conf\.py$/, templates: [/(?:^|\/)_templates\//, /^_(?:ext|themes?)\//] },
];

/** Hugo reads the same settings in three formats. */
function hugoFiles(folder: string): FrameworkFile[] {
  const formats = { toml: 'toml', json: 'json', yaml: 'ya?ml' } as const;
  return (['toml', 'json', 'yaml'] as const).flatMap((format) => [
    {
      path: new RegExp(`^${folder}(?:hugo|config)\\.${formats[format]}$`),
      format,
      what: 'its menus',
      containers: [at(menuRules, 'menu'), at(menuRules, 'menus')],
    },
    {
      path: new RegExp(`^config/_default/menus?(?:\\.[\\w-]+)?\\.${formats[format]}$`),
      format,
      what: 'its menus',
      containers: all(menuRules),
    },
    { path: new RegExp(`^i18n/[^/]+\\.${formats[format]}$`), format, what: 'its texts', containers: all(namesRules) },
  ]);
}

/** SUMMARY.md is the navigation of GitBook and mdBook, wherever a root of theirs has it. */
export const summaryFile: DataFile = { format: 'summary', containers: [], what: 'its list of links' };
export const summaryPath = /(?:^|\/)summary\.md$/;
