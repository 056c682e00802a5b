import type { EntryRules } from '../data/entries.ts';
import {
  astroRedirects,
  clientRedirects,
  docusaurusEntries,
  footer,
  fumadocsLinks,
  metaEntries,
  nextRedirects,
  nextRewrites,
  pathsRules,
  socialLinks,
  starlightEntries,
  vitepressEntries,
} from './entry-rules.ts';

/** A part of a code file whose data may change. */
export interface CodeContainer extends EntryRules {
  /**
   * The keys from an export to the container, outermost first. A call is a key, such as `starlight()`, unless it wraps the whole export. A list
   * is `*`, or its first item if that is a text, as in `['plugin-name', {…}]`. In a rule, `*` matches any key. Each export has two paths: one
   * begins with its first key, the other with `export name`. A default export has the name of its file.
   */
  at: readonly (string | RegExp)[];
  name: string;
  /** How an edit may add it where it is missing: as a key, or as a method that does nothing but return it. */
  canBeAdded?: 'key' | 'async method';
  /** Its keys are the names of pages, which may be named like a setting: `plugins: 'Plugins'`. */
  holdsPages?: true;
  /** Keys that look like settings, but only show or hide parts of a page. */
  displayKeys?: readonly string[];
}

/** A file of JavaScript or TypeScript of which only data may change. */
export interface CodeFile {
  /** Relative to the framework's root, in lower case; undefined: a file that the configuration imports. */
  path?: RegExp;
  /** For people and models: `its nav, sidebar and rewrites`. */
  what: string;
  containers: readonly CodeContainer[];
}

/** A part of the theme's configuration: of the site, of each language, or in a separate file. */
const inTheme = (name: string, rules: EntryRules): CodeContainer[] =>
  [['themeConfig'], ['locales', '*', 'themeConfig'], ['themeConfig', 'locales', '*'], ['locales', '*'], []].map(
    (keys) => ({ ...rules, name, at: [...keys, name] }),
  );

const vitepressContainers: readonly CodeContainer[] = [
  ...['nav', 'sidebar', 'navbar'].flatMap((name) => inTheme(name, vitepressEntries)),
  ...['nav', 'navbar', 'sidebar'].map((name) => ({ ...vitepressEntries, name, at: ['theme', /^\w+\(\)$/, name] })),
  ...inTheme('footer', footer),
  ...inTheme('socialLinks', socialLinks),
  { ...vitepressEntries, name: 'navigation', at: [/^export .*(?:nav|sidebar)/i] },
  { ...footer, name: 'footer', at: [/^export .*footer/i] },
  { ...pathsRules, name: 'rewrites', at: ['rewrites'], canBeAdded: 'key' },
  { ...pathsRules, name: 'rewrites', at: [/^export .*rewrites/i] },
];
const vitepressWhat = 'its nav, sidebar, footer, social links and rewrites';

/** One row per kind of file. `places/frameworks.ts` says which framework has which. */
export const codeFiles = {
  vitepress: {
    path: /^(?:\.(?:vite|vue)press\/config(?:\/[\w./-]+)?|(?:[\w./-]+\/)?config)\.[cm]?[jt]s$/,
    what: vitepressWhat,
    containers: vitepressContainers,
  },
  vitepressPart: { what: vitepressWhat, containers: vitepressContainers },
  docusaurus: {
    path: /^docusaurus\.config\.[cm]?[jt]s$/,
    what: 'its navbar, footer and redirects',
    containers: [
      { ...docusaurusEntries, name: 'navbar items', at: ['themeConfig', 'navbar', 'items'] },
      { ...docusaurusEntries, name: 'footer links', at: ['themeConfig', 'footer', 'links'] },
      {
        ...clientRedirects,
        name: 'redirects',
        at: ['plugins', '*', /^(?:@docusaurus\/plugin-)?client-redirects$/, 'redirects'],
        canBeAdded: 'key',
      },
    ],
  },
  docusaurusSidebars: {
    path: /^sidebars[\w-]*\.[cm]?[jt]s$/,
    what: 'its sidebars',
    containers: [{ ...docusaurusEntries, keys: 'any', name: 'sidebars', at: [] }],
  },
  docusaurusPart: {
    what: 'its sidebars, navbar, footer and redirects',
    containers: [
      { ...docusaurusEntries, keys: 'any', name: 'sidebar', at: [/^export .*sidebar/i] },
      { ...docusaurusEntries, name: 'navigation', at: [/^export .*(?:nav|footer|menu)/i] },
      { ...docusaurusEntries, name: 'items', at: [/^export .*navbar/i, 'items'] },
      { ...docusaurusEntries, name: 'links', at: [/^export .*footer/i, 'links'] },
      { ...clientRedirects, name: 'redirects', at: [/^export .*redirects/i] },
    ],
  },
  starlight: {
    path: /^astro\.config\.[cm]?[jt]s$/,
    what: 'its sidebar, social links and redirects',
    containers: [
      { ...starlightEntries, name: 'sidebar', at: ['integrations', '*', 'starlight()', 'sidebar'] },
      { ...socialLinks, name: 'social', at: ['integrations', '*', 'starlight()', 'social'] },
      {
        ...starlightEntries,
        name: 'sidebar topics',
        // https://starlight-sidebar-topics.netlify.app/docs/configuration/
        at: ['integrations', '*', 'starlight()', 'plugins', '*', 'starlightSidebarTopics()'],
      },
      { ...astroRedirects, name: 'redirects', at: ['redirects'], canBeAdded: 'key' },
    ],
  },
  starlightPart: {
    what: 'its sidebar and redirects',
    containers: [
      { ...starlightEntries, name: 'sidebar', at: [/^export .*(?:sidebar|nav)/i] },
      { ...astroRedirects, name: 'redirects', at: [/^export .*redirects/i] },
    ],
  },
  next: {
    path: /^next\.config\.[cm]?[jt]s$/,
    what: 'its redirects and rewrites',
    containers: [
      { ...nextRedirects, name: 'redirects', at: ['redirects'], canBeAdded: 'async method' },
      { ...nextRewrites, name: 'rewrites', at: ['rewrites'] },
    ],
  },
  nextPart: {
    what: 'its redirects and rewrites',
    containers: [
      { ...nextRedirects, name: 'redirects', at: [/^export .*redirects/i] },
      { ...nextRewrites, name: 'rewrites', at: [/^export .*rewrites/i] },
    ],
  },
  nextraMeta: {
    path: /(?:^|\/)_meta(?:\.[\w-]+)?\.[jt]sx?$/,
    what: 'its entries',
    containers: [{ ...metaEntries, name: 'entries', at: [], holdsPages: true, displayKeys: ['theme'] }],
  },
  fumadocsLayout: {
    path: /(?:^|\/)layout\.(?:config|shared)\.[jt]sx?$/,
    what: 'its links',
    containers: [
      { ...fumadocsLinks, name: 'links', at: ['links'] },
      { ...fumadocsLinks, name: 'links', at: [/^export .*links/i] },
    ],
  },
} as const satisfies Record<string, CodeFile>;

export type CodeFileName = keyof typeof codeFiles;
