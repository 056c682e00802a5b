import { defineConfig } from 'vitepress';

export default defineConfig({
  title: 'Relay CLI',
  description: 'The handbook of the Acme Relay command line.',
  cleanUrls: true,
  themeConfig: {
    nav: [
      { text: 'Guide', link: '/guide/installation' },
      { text: 'Reference', link: '/reference/commands' },
    ],
    sidebar: [
      {
        text: 'Guide',
        items: [
          { text: 'Installation', link: '/guide/installation' },
          { text: 'Receive webhooks', link: '/guide/webhooks' },
        ],
      },
      {
        text: 'Reference',
        items: [
          { text: 'Commands', link: '/reference/commands' },
          { text: 'Exit codes', link: '/reference/exit-codes' },
        ],
      },
    ],
  },
});
