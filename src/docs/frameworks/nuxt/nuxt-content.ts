import { type Framework, words } from '../framework.ts';
import { scriptNames } from '../scripts.ts';
import { hasNuxtContent, openNuxtContent } from './open-nuxt-content.ts';

/** https://content.nuxt.com/docs/getting-started/configuration */
export const nuxtContent: Framework = {
  name: 'Nuxt Content',
  hasExactAddresses: true,
  markers: [
    ...scriptNames('content.config').map((path) => ({ path, contains: /@nuxt\/content|defineContentConfig/ })),
    ...scriptNames('nuxt.config').map((path) => ({ path, contains: /@nuxt\/content|docus/ })),
  ],
  sites: {
    findRoots: (tree, marked) => marked.filter((root) => hasNuxtContent(tree, root)),
    open: (tree, root) => [openNuxtContent(tree, root)],
  },
  dialect: {
    mdc: true,
    copiesFiles: true,
    // https://ui.nuxt.com/docs/typography
    components: words(`
      accordion accordionitem badge callout card cardgroup caution codecollapse codegroup codepreview codetree collapsible field
      fieldgroup icon note prose steps tabs tabsitem tip warning`),
  },
  built: /^\.(?:nuxt|output)\//,
};
