import type { Some } from './draw.ts';

/** A configuration that is code, as a site has it. */
export interface CodeSite {
  path: string;
  base: string;
  /** The keys below which data may change. */
  free: readonly string[];
  /** An entry of it, which others may stand beside. */
  entry: string;
  label: string;
  link: string;
}

const vitepress = `import { defineConfig } from 'vitepress'
import { version } from './version.mjs'

export default defineConfig({
  title: 'Acme',
  head: [['link', { rel: 'icon', href: '/icon.svg' }]],
  vite: { plugins: [] },
  themeConfig: {
    nav: [{ text: 'Guide', link: '/guide/' }, { text: version, link: '/changes' }],
    sidebar: { '/guide/': { base: '/guide/', items: listGuide() } },
    search: { provider: 'local' }
  }
})

function listGuide() {
  return [{ text: 'Start', link: 'start' }, ...listMore('more')]
}

function listMore(folder) {
  return [folder].map((name) => ({ text: name, link: name }))
}
`;
const docusaurus = `const theme = require('prism-react-renderer');

/** @type {import('@docusaurus/types').Config} */
const config = {
  title: 'Acme',
  presets: [['classic', { docs: { sidebarPath: './sidebars.js' }, theme: { customCss: './src/custom.css' } }]],
  plugins: [['@docusaurus/plugin-client-redirects', { redirects: [{ from: '/old', to: '/new' }] }]],
  themeConfig: {
    navbar: { title: 'Acme', items: [{ to: '/docs', label: 'Docs' }] },
    prism: { theme },
  },
};

module.exports = config;
`;
const sidebars = `module.exports = {
  docs: ['index', { type: 'category', label: 'Guides', items: ['guides/one'] }],
};
`;
const astro = `// @ts-check
import { defineConfig } from 'astro/config';
import starlight from '@astrojs/starlight';

export default defineConfig({
  site: 'https://docs.acme.example',
  integrations: [
    starlight({
      title: 'Acme',
      head: [{ tag: 'script', attrs: { src: 'https://cdn.acme.example/a.js' } }],
      sidebar: [{ label: 'Start', link: '/start/' }, { label: 'Reference', items: [{ autogenerate: { directory: 'reference' } }] }],
    }),
  ],
});
`;
const next = `import nextra from 'nextra'

export default nextra({})({
  reactStrictMode: true,
  async redirects() {
    return [{ source: '/old', destination: '/new', permanent: true }]
  },
  webpack(config) {
    return config
  }
})
`;
const meta = `export default {
  index: 'Introduction',
  guide: { title: 'Guide', href: '/guide' }
}
`;

export const codeSites: Some<CodeSite> = [
  {
    path: 'docs/.vitepress/config.mjs',
    base: vitepress,
    free: ['nav', 'sidebar', 'listGuide', 'rewrites'],
    entry: "{ text: 'Start', link: 'start' }",
    label: 'text',
    link: 'link',
  },
  {
    path: 'website/docusaurus.config.js',
    base: docusaurus,
    free: ['redirects', 'items'],
    entry: "{ to: '/docs', label: 'Docs' }",
    label: 'label',
    link: 'to',
  },
  {
    path: 'website/sidebars.js',
    base: sidebars,
    free: ['default'],
    entry: "'index'",
    label: 'label',
    link: 'href',
  },
  {
    path: 'starlight/astro.config.mjs',
    base: astro,
    free: ['sidebar', 'redirects'],
    entry: "{ label: 'Start', link: '/start/' }",
    label: 'label',
    link: 'link',
  },
  {
    path: 'web/next.config.mjs',
    base: next,
    free: ['redirects'],
    entry: "{ source: '/old', destination: '/new', permanent: true }",
    label: 'source',
    link: 'destination',
  },
  {
    path: 'web/app/_meta.js',
    base: meta,
    free: ['default'],
    entry: "index: 'Introduction'",
    label: 'title',
    link: 'href',
  },
];
