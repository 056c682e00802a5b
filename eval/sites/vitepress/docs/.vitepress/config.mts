import { defineConfig } from 'vitepress';

export default defineConfig({
  title: 'Quill',
  description: 'A text editor for the browser',
  cleanUrls: true,
  themeConfig: {
    nav: [
      { text: 'Guide', link: '/guide/start' },
      { text: 'Reference', link: '/reference/options' },
    ],
    sidebar: {
      '/guide/': [
        {
          text: 'Guide',
          items: [
            { text: 'Get started', link: '/guide/start' },
            { text: 'Toolbar', link: '/guide/toolbar' },
            { text: 'Themes', link: '/guide/themes' },
            { text: 'Saving', link: '/guide/saving' },
          ],
        },
        {
          text: 'Advanced',
          items: [
            { text: 'Plugins', link: '/guide/plugins' },
            { text: 'Upgrade', link: '/guide/upgrade' },
          ],
        },
      ],
      '/reference/': [
        {
          text: 'Reference',
          items: [
            { text: 'Options', link: '/reference/options' },
            { text: 'Events', link: '/reference/events' },
          ],
        },
      ],
    },
    socialLinks: [{ icon: 'github', link: 'https://github.com/quill-example/quill' }],
  },
});
