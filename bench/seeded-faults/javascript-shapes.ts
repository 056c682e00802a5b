import { address, inFolder, json, pages, type Shape, titles } from './shape.ts';

/** Of builders that are configured in JavaScript. */
export const javascriptShapes: readonly Shape[] = [
  {
    name: 'Docusaurus',
    path: inFolder('docs/', 'md'),
    image: '/img/shot.png',
    imagePath: 'static/img/shot.png',
    note: (text) => `import Part from '@site/docs/_part.mdx';\n\n<Part />\n\n:::note\n\n${text}\n\n:::`,
    files: (entries) => ({
      'docusaurus.config.js':
        "export default {\n  presets: [['classic', { docs: { routeBasePath: '/', sidebarPath: './sidebars.json' } }]],\n};\n",
      'docs/_part.mdx': 'A sentence for several pages.\n',
      'sidebars.json': json({ docs: entries }),
      'static/_redirects': '/old /guides/install 301\n',
    }),
  },
  {
    name: 'VitePress',
    path: inFolder('docs/', 'md'),
    link: address,
    image: '/shot.png',
    imagePath: 'docs/public/shot.png',
    note: (text) => `::: tip\n${text}\n:::\n\n<Badge type="tip" text="new" />`,
    files: (entries) => ({
      'docs/.vitepress/config.ts': `export default {\n  themeConfig: {\n    sidebar: [\n${entries
        .map((page) => `      { text: '${titles.get(page)}', link: '${address(page)}' },`)
        .join('\n')}\n    ],\n  },\n};\n`,
    }),
  },
  {
    name: 'Nuxt Content',
    path: inFolder('content/', 'md'),
    link: address,
    image: '/shot.png',
    imagePath: 'public/shot.png',
    note: (text) => `::note\n${text}\n::`,
    files: () => ({
      'nuxt.config.ts': "export default defineNuxtConfig({ modules: ['@nuxt/content'] });\n",
      'content.config.ts':
        "import { defineContentConfig } from '@nuxt/content';\nexport default defineContentConfig({});\n",
    }),
  },
  {
    name: 'Next.js',
    path: inFolder('src/content/', 'md'),
    link: address,
    image: '/shot.png',
    imagePath: 'public/shot.png',
    note: (text) => `> ${text}`,
    files: () => ({
      'next.config.js': 'module.exports = {};\n',
      'src/pages/[[...path]].js': 'export default function Page() {}\n',
      // The links of the pages show what their addresses are.
      'src/content/map.md': pages.map((page) => `- [${titles.get(page)}](${address(page)})`).join('\n'),
    }),
  },
  {
    name: 'Astro',
    path: inFolder('src/content/docs/', 'md'),
    link: (page, anchor) => `/docs${page === 'index' ? '' : `/${page}/`}${anchor ? `#${anchor}` : ''}`,
    image: '/shot.png',
    imagePath: 'public/shot.png',
    note: (text) => `> ${text}`,
    files: () => ({
      'astro.config.mjs': "import { defineConfig } from 'astro/config';\nexport default defineConfig({});\n",
      'src/pages/docs/[...slug].astro':
        "---\nexport const getStaticPaths = async () =>\n  (await getCollection('docs')).map((page) => ({ params: { slug: page.id } }));\n---\n",
    }),
  },
  {
    name: 'Starlight',
    path: inFolder('src/content/docs/', 'mdx'),
    link: (page, anchor) => (page === 'index' ? '/' : `/${page}/${anchor ? `#${anchor}` : ''}`),
    image: '/shot.png',
    imagePath: 'public/shot.png',
    note: (text) => `import { Card } from '@astrojs/starlight/components';\n\n<Card title="Note">\n${text}\n</Card>`,
    files: (entries) => ({
      'astro.config.mjs': `import starlight from '@astrojs/starlight';\nexport default { integrations: [starlight({ sidebar: [\n${entries
        .filter((page) => page !== 'index')
        .map((page) => `  { label: '${titles.get(page)}', slug: '${page}' },`)
        .join('\n')}\n] })] };\n`,
    }),
  },
  {
    name: 'Nextra',
    path: (page) => (page === 'index' ? 'app/page.mdx' : `app/${page}/page.mdx`),
    link: address,
    image: '/shot.png',
    imagePath: 'public/shot.png',
    note: (text) => `import { Callout } from 'nextra/components'\n\n<Callout>\n${text}\n</Callout>`,
    files: () => ({
      'next.config.mjs': "import nextra from 'nextra';\nexport default nextra({})({});\n",
      'app/_meta.js': "export default { index: 'Home', guides: 'Guides', reference: 'Reference' };\n",
    }),
  },
  {
    name: 'Fumadocs',
    path: inFolder('content/docs/', 'mdx'),
    link: (page, anchor) => `/docs${page === 'index' ? '' : `/${page}`}${anchor ? `#${anchor}` : ''}`,
    image: '/shot.png',
    imagePath: 'public/shot.png',
    note: (text) => `<Callout>\n${text}\n</Callout>`,
    files: (entries) => ({
      'source.config.ts': "export const docs = defineDocs({ dir: 'content/docs' });\n",
      'next.config.mjs': 'export default {};\n',
      'mdx-components.tsx':
        "import defaultMdxComponents from 'fumadocs-ui/mdx';\nexport function getMDXComponents(components) { return { ...defaultMdxComponents, ...components }; }\n",
      'content/docs/meta.json': json({ pages: ['index', 'guides', 'reference'] }),
      'content/docs/guides/meta.json': json({
        pages: entries.filter((page) => page.startsWith('guides/')).map((page) => page.slice(7)),
      }),
    }),
  },
  {
    name: 'Rspress',
    path: inFolder('docs/', 'mdx'),
    link: address,
    image: '/shot.png',
    imagePath: 'docs/public/shot.png',
    note: (text) => `:::tip\n${text}\n:::`,
    files: (entries) => ({
      'rspress.config.ts': "export default { title: 'Acme' };\n",
      'docs/_meta.json': json(['index', { type: 'dir', name: 'guides' }, { type: 'dir', name: 'reference' }]),
      'docs/guides/_meta.json': json(entries.filter((page) => page.startsWith('guides/')).map((page) => page.slice(7))),
    }),
  },
  {
    name: 'VuePress',
    path: inFolder('docs/', 'md', 'README'),
    image: '/shot.png',
    imagePath: 'docs/.vuepress/public/shot.png',
    note: (text) => `::: tip\n${text}\n:::`,
    files: () => ({ 'docs/.vuepress/config.ts': "export default { title: 'Acme' };\n" }),
  },
];
