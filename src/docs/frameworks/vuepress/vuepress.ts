import { type Framework, markedBy } from '../framework.ts';
import { vitepressCode } from '../vitepress/vitepress-edits.ts';
import { openVuepress } from './open-vuepress.ts';

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
