import { join } from 'node:path';
import type { Builder } from '../builder.ts';
import type { PageGrammar } from '../grammars/nested-pages.ts';
import { listJavaScriptBuilders } from './javascript.ts';

const script = join(import.meta.dirname, 'site.mjs');

/** Whole sites, as their own commands build them. */
export function listSiteBuilders(packages: string): Builder[] {
  const readers = listJavaScriptBuilders(packages);
  const create = (
    name: string,
    {
      reader,
      npm,
      command,
      site,
      heads,
      ...builder
    }: Pick<Builder, 'files'> &
      Partial<Pick<Builder, 'output'>> & {
        reader: string;
        npm: string;
        command: readonly string[];
        site: string;
        heads?: PageGrammar['heads'];
      },
  ): Builder | undefined => {
    const base = readers.find((each) => each.name === reader);
    if (base === undefined) return undefined;
    const [file = '', ...args] = command;
    return {
      ...base,
      ...builder,
      name,
      site,
      mostTexts: 1_500,
      grammar: (outside) => ({ ...base.grammar(outside), ...(heads && { heads }) }),
      install: `npm install --prefix ${packages || 'DIR'} ${npm}, and --packages ${packages || 'DIR'}`,
      probe: [
        process.execPath,
        '-e',
        `require('node:fs').statSync(${JSON.stringify(join(packages, 'node_modules', file))})`,
      ],
      build: (folder) => [
        process.execPath,
        script,
        folder,
        packages,
        site,
        join(packages, 'node_modules', file),
        ...args,
      ],
      output: builder.output ?? ((page) => `${site}/${page}/index.html`),
    };
  };
  return [
    create('vitepress-site', {
      reader: 'vitepress',
      npm: 'vitepress',
      command: ['vitepress/bin/vitepress.js', 'build'],
      site: '.vitepress/dist',
      files: {
        '.vitepress/config.mjs': "export default { srcDir: 'docs', ignoreDeadLinks: true }\n",
        '.vitepress/theme/index.mjs':
          "import theme from 'vitepress/theme';\nexport default { extends: theme, enhanceApp({ app }) { app.config.globalProperties.canary = globalThis.canary; } };\n",
        'docs/index.md': '# Index\n',
        'docs/part.md': 'part\n',
      },
      output: (page) => `.vitepress/dist/${page}.html`,
    }),
    create('docusaurus', {
      reader: 'mdx',
      npm: '@docusaurus/core @docusaurus/preset-classic react react-dom',
      command: ['@docusaurus/core/bin/docusaurus.mjs', 'build', '--no-minify'],
      site: 'build',
      files: {
        'docusaurus.config.js': `module.exports = {
  title: 'x',
  url: 'https://docs.example',
  baseUrl: '/',
  onBrokenLinks: 'ignore',
  onBrokenAnchors: 'ignore',
  markdown: { hooks: { onBrokenMarkdownLinks: 'ignore', onBrokenMarkdownImages: 'ignore' } },
  presets: [['classic', { blog: false, docs: { routeBasePath: '/', sidebarPath: undefined } }]],
};
`,
        'src/theme/MDXComponents.js':
          "import components from '@theme-original/MDXComponents';\nexport default { ...components, Part: () => null };\n",
        'docs/index.mdx': '# Index\n\n<Part title="x" />\n',
      },
    }),
    create('starlight', {
      reader: 'mdx',
      npm: 'astro @astrojs/starlight',
      command: ['astro/bin/astro.mjs', 'build'],
      site: 'dist',
      files: {
        'astro.config.mjs':
          "import starlight from '@astrojs/starlight';\nexport default { integrations: [starlight({ title: 'x', pagefind: false })] };\n",
        'src/content.config.ts': `import { defineCollection } from 'astro:content';
import { glob } from 'astro/loaders';
import { docsSchema } from '@astrojs/starlight/schema';
const loader = glob({ pattern: '*.mdx', base: './docs' });
export const collections = { docs: defineCollection({ loader, schema: docsSchema() }) };
`,
        'docs/index.mdx': '---\ntitle: x\n---\n\n# Index\n',
      },
      heads: ['---\ntitle: x\n---\n\n'],
    }),
    create('eleventy-site', {
      reader: 'eleventy',
      npm: '@11ty/eleventy',
      command: ['@11ty/eleventy/cmd.cjs', '--quiet'],
      site: '_site',
      files: {
        'eleventy.config.js': '',
        '_data/canary.json': '"@canary@"\n',
        'docs/index.md': '# Index\n',
        '_includes/canary.html': '{{ canary }}',
      },
      output: (page) => `_site/docs/${page}/index.html`,
    }),
  ].flatMap((builder) => builder ?? []);
}
