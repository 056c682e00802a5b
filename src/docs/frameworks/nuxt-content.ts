import { isMarkdown } from '../page-extensions.ts';
import { githubSlug } from '../pages/slugs.ts';
import { type FileTree, folderOf, joinPath, nameOf, relativeTo } from '../tree.ts';
import { toAddress } from './addresses.ts';
import { type Framework, words } from './framework.ts';
import { siteRules } from './plain.ts';
import { readHostRedirects } from './redirects/host-redirects.ts';
import { findScript, scriptNames } from './scripts.ts';
import type { SiteRules } from './site-rules.ts';

/** https://content.nuxt.com/docs/getting-started/configuration */
export const nuxtContent: Framework = {
  name: 'Nuxt Content',
  hasExactAddresses: true,
  markers: [
    ...scriptNames('content.config').map((path) => ({ path, contains: /@nuxt\/content|defineContentConfig/ })),
    ...scriptNames('nuxt.config').map((path) => ({ path, contains: /@nuxt\/content|docus/ })),
  ],
  sites: { open: (tree, root) => (hasNuxtContent(tree, root) ? [openNuxtContent(tree, root)] : []) },
  dialect: {
    mdc: true,
    markdown: 'unindented',
    copiesFiles: true,
    // https://ui.nuxt.com/docs/typography
    components: words(`
      accordion accordionitem badge callout card cardgroup caution codecollapse codegroup codepreview codetree collapsible field
      fieldgroup icon note prose steps tabs tabsitem tip warning`),
  },
  built: /^\.(?:nuxt|output)\//,
};

const folderIn = (root: string) => joinPath(root, 'content') ?? '';

/** A site of Nuxt with pages in `content`. */
const hasNuxtContent = (tree: FileTree, root: string): boolean => tree.below(folderIn(root)).some(isMarkdown);

/** https://content.nuxt.com/docs/files/markdown */
function openNuxtContent(tree: FileTree, root: string): SiteRules {
  const folder = folderIn(root);
  const files = ['nuxt.config', 'content.config'].flatMap((name) => findScript(tree, root, name) ?? []);
  const text = files.map((file) => tree.read(file) ?? '').join('\n');
  // A collection may have another prefix than its folder, and so may a language.
  const isPrefixed = /\b(?:prefix|cwd|i18n)\b/.test(text);
  const isForeign = /\brepository\s*:/.test(text);
  const routes = listRoutes(tree, root, folder);
  return {
    ...siteRules(root, folder),
    configurationFiles: files,
    addressesOf(path) {
      const names = toNames(relativeTo(path, folder));
      if (names === undefined) return [];
      return [toAddress(...names), ...(isPrefixed ? [toAddress(...names.slice(1))] : [])];
    },
    basesOf: (own) => [own, folderOf(own)],
    staticFolders: ['public', 'app/public'].flatMap((name) => joinPath(root, name) ?? []),
    // A leading digit gets a mark in front: https://content.nuxt.com/docs/files/markdown
    areSlugsLoose: true,
    isDynamic: (address) => isForeign || routes.has(toAddress(address).toLowerCase()),
    ...readHostRedirects(tree, root),
  };
}

/** Without the numbers that order them. Undefined for what is hidden. */
function toNames(below: string): string[] | undefined {
  const parts = below.replace(/\.\w+$/, '').split('/');
  if (parts.some((part) => /^[._]/.test(part))) return undefined;
  const names = parts.map((part) => part.replace(/^\d+\./, ''));
  return (names.at(-1) === 'index' ? names.slice(0, -1) : names).map(githubSlug);
}

/** Pages of Nuxt itself, and of content in data. */
function listRoutes(tree: FileTree, root: string, folder: string): Set<string> {
  const pages = ['pages', 'app/pages', 'server/routes'].flatMap((name) => {
    const at = joinPath(root, name) ?? '';
    return tree.below(at).map((path) => relativeTo(path, at));
  });
  const data = tree
    .below(folder)
    .flatMap((path) => (/\.(?:ya?ml|json|csv)$/.test(path) ? [relativeTo(path, folder)] : []));
  const plain = [...pages, ...data].filter((path) => !path.includes('['));
  return new Set(['/', ...plain.map((path) => toAddress(...(toNames(path) ?? [nameOf(path)])).toLowerCase())]);
}
