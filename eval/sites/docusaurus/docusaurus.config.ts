import type * as Preset from '@docusaurus/preset-classic';
import type { Config } from '@docusaurus/types';

const config: Config = {
  title: 'Harbor',
  tagline: 'Ship containers to your own servers',
  url: 'https://harbor.example',
  baseUrl: '/',
  onBrokenLinks: 'throw',
  onBrokenAnchors: 'throw',
  presets: [
    [
      'classic',
      {
        docs: { sidebarPath: './sidebars.ts', lastVersion: 'current', versions: { current: { label: '2.x' } } },
        blog: { showReadingTime: false },
      } satisfies Preset.Options,
    ],
  ],
  themeConfig: {
    navbar: {
      title: 'Harbor',
      logo: { alt: 'Harbor', src: 'img/logo.svg' },
      items: [
        { type: 'docSidebar', sidebarId: 'docs', position: 'left', label: 'Docs' },
        { to: '/blog', label: 'Blog', position: 'left' },
        { type: 'docsVersionDropdown', position: 'right' },
      ],
    },
  } satisfies Preset.ThemeConfig,
};

export default config;
