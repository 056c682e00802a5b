import type { CodeContainer, CodeFile, EntryRules } from '../edits/data-files.ts';
import { displayKeys, isPath, isPattern, linkValues, socialLinks, titles } from '../edits/rules.ts';

/** VitePress puts it in front of links: `javascript` and `:x` would run. */
const isBase = (value: unknown): boolean => typeof value === 'string' && /^\/[^\\/]/.test(value);

/** https://vitepress.dev/reference/default-theme-sidebar, https://vitepress.dev/reference/default-theme-nav */
const entries: EntryRules = {
  keys: [
    ...['text', 'link', 'items', 'base', 'activeMatch', 'noIcon', 'docFooterText', 'ariaLabel', 'children'],
    ...displayKeys,
  ],
  otherKeys: /^\//,
  texts: titles,
  values: { ...linkValues, base: isBase, activeMatch: isPattern },
};
const footer: EntryRules = { keys: ['message', 'copyright'], texts: titles };
const paths: EntryRules = { keys: 'any', values: { '*': isPath } };

/** A part of the theme's configuration: of the site, of each language, or in a separate file. */
const inTheme = (name: string, rules: EntryRules): CodeContainer[] =>
  [['themeConfig'], ['locales', '*', 'themeConfig'], ['themeConfig', 'locales', '*'], ['locales', '*'], []].map(
    (keys) => ({ ...rules, name, at: [...keys, name] }),
  );

const containers: readonly CodeContainer[] = [
  ...['nav', 'sidebar', 'navbar'].flatMap((name) => inTheme(name, entries)),
  ...['nav', 'navbar', 'sidebar'].map((name) => ({ ...entries, name, at: ['theme', /^\w+\(\)$/, name] })),
  ...inTheme('footer', footer),
  ...inTheme('socialLinks', socialLinks),
  { ...entries, name: 'navigation', at: [/^export .*(?:nav|sidebar)/i] },
  { ...footer, name: 'footer', at: [/^export .*footer/i] },
  { ...paths, name: 'rewrites', at: ['rewrites'], canBeAdded: 'key' },
  { ...paths, name: 'rewrites', at: [/^export .*rewrites/i] },
];
const what = 'its nav, sidebar, footer, social links and rewrites';

const configuration: CodeFile = {
  path: /^(?:\.(?:vite|vue)press\/config(?:\/[\w./-]+)?|(?:[\w./-]+\/)?config)\.[cm]?[jt]s$/,
  what,
  containers,
};

export const vitepressCode = { files: [configuration], imported: { what, containers } };
