import { isMarkdown } from '../page-extensions.ts';
import { vueSlug } from '../pages/slugs.ts';
import { type FileTree, isBelow, joinPath, relativeTo } from '../tree.ts';
import { pageAddress, toAddress } from './addresses.ts';
import { type Framework, markedBy } from './framework.ts';
import { siteRules } from './plain.ts';
import { readHostRedirects } from './redirects/host-redirects.ts';
import { isScript } from './scripts.ts';
import type { SiteRules } from './site-rules.ts';
import { vitepressCode } from './vitepress/vitepress-edits.ts';

/** https://vuepress.vuejs.org/reference/config.html, https://ecosystem.vuejs.press/plugins/ */
export const vuepress: Framework = {
  name: 'VuePress',
  markers: markedBy('.vuepress/'),
  sites: { open: (tree, root) => [openVuepress(tree, root)] },
  code: vitepressCode,
  dialect: {
    vue: true,
    copiesFiles: true,
    components: ['AutoLink', 'Badge', 'ClientOnly', 'CodeGroup', 'CodeGroupItem', 'Content', 'RouteLink', 'RouterLink'],
    blocks: 'colons',
  },
  built: /^\.vuepress\/(?:\.cache|\.temp|dist)\//,
};

/** Its sidebars are code with paths that themes and plugins read in their own ways: they are not judged. https://vuepress.vuejs.org/guide/page.html */
function openVuepress(tree: FileTree, root: string): SiteRules {
  const settings = joinPath(root, '.vuepress') ?? '';
  const files = tree
    .below(settings)
    .filter((path) => isScript(path) && /^config(?:\.|s?\/)/.test(relativeTo(path, settings)));
  const main = files.map((path) => tree.read(path) ?? '').join('\n');
  const base = /(?:^|[\s,{])base\s*:\s*["'](\/[\w./-]*)["']/.exec(main)?.[1] ?? '';
  return {
    ...siteRules(root),
    configurationFiles: files,
    isPage: (path) =>
      isBelow(path, root) && isMarkdown(path) && !isBelow(path, settings) && !path.includes('node_modules/'),
    addressesOf(path, { frontMatter: { data } }) {
      const own = pageAddress(relativeTo(path, root));
      return typeof data.permalink === 'string' ? [toAddress(data.permalink.replace(/\.html$/, '')), own] : [own];
    },
    baseAddress: toAddress(base).replace(/^\/$/, ''),
    staticFolders: [joinPath(settings, 'public') ?? ''],
    slug: vueSlug,
    // Plugins make pages of blogs, and front matter gives patterns of addresses.
    isDynamic: (address) =>
      /^\/(?:[a-z-]{2,5}\/)?(?:tag|category|article|archive|timeline|star)s?(?:\/|$)/.test(address),
    ...readHostRedirects(tree, root),
  };
}
