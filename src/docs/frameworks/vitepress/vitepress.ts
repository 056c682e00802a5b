import { type Framework, markedBy } from '../framework.ts';
import { openVitepress } from './open-vitepress.ts';
import { vitepressCode } from './vitepress-edits.ts';

/** https://vitepress.dev/reference/site-config */
export const vitepress: Framework = {
  name: 'VitePress',
  hasExactAddresses: true,
  markers: markedBy('.vitepress/'),
  sites: { open: (tree, root) => [openVitepress(tree, root)] },
  code: vitepressCode,
  dialect: {
    vue: true,
    copiesFiles: true,
    layouts: ['doc', 'home', 'page'],
    components: ['Badge', 'ClientOnly', 'Content'],
    blocks: 'colons',
  },
  built: /^\.vitepress\/(?:cache|dist)\//,
};
