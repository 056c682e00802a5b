// Pure tables over small trees, one case per framework: unit.
import { expect, test } from 'vitest';
import { openSites, type Site } from '../../../src/docs/sites/open-sites.ts';
import { resolveLink } from '../../../src/docs/sites/resolve-link.ts';
import type { FileTree } from '../../../src/docs/tree.ts';
import { empty, type Files, toTree } from '../support/check-files.ts';
import { rowsOf } from '../support/rows-of.ts';

const json = (value: unknown) => JSON.stringify(value);

/** `from → target`: where it leads. */
function follow(tree: FileTree, sites: readonly Site[], link: string): string {
  const [from = '', target = ''] = link.split(' → ');
  const site = sites.find(({ pages }) => pages.has(from));
  if (site === undefined) return `${from} is no page`;
  const written = target.replace(/^ref /, '');
  const found = resolveLink({ tree, site, from, target: written, ...(written !== target && { form: 'reference' }) });
  return found.kind === 'page' || found.kind === 'file' ? found.path : found.kind;
}

interface Case {
  files: Files;
  /** The framework and root of the first site. */
  site: string;
  links?: Record<string, string>;
  /** By entry: its page; null: it leads to nothing. */
  entries?: Record<string, string | null>;
  redirects?: Record<string, string>;
  languages?: string[];
  unlisted?: string[];
}

const cases = rowsOf<Case>({
  'a configuration divided by $ref, a base address, ignored files': {
    files: {
      'docs.json': json({ navigation: { $ref: './nav.json' }, redirects: { $ref: './redirects.json' } }),
      'nav.json': json({ groups: [{ root: 'guides/index', pages: ['index', 'gone', 'GET /users'] }] }),
      'redirects.json': json([{ source: '/old/:slug*', destination: '/guides/:slug*' }]),
      '.mintignore': '# For authors\ndrafts/\n*.draft.mdx\n',
      ...empty('index.mdx guides/index.mdx new.mdx'),
      'hidden.mdx': '---\nhidden: true\n---\n',
      ...empty('drafts/a.mdx b.draft.mdx snippets/part.mdx'),
    },
    site: 'Mintlify .',
    links: {
      'index.mdx → /guides': 'guides/index.mdx',
      'index.mdx → /docs/guides': 'guides/index.mdx',
      'index.mdx → /old/a/b': 'generated',
      'index.mdx → /drafts/b': 'broken',
      'index.mdx → /snippets/part2': 'broken',
    },
    entries: { 'guides/index': 'guides/index.mdx', index: 'index.mdx', gone: null },
    redirects: { '/old/:slug*': '/guides/:slug*' },
    unlisted: ['new.mdx'],
  },
  'several docs, versions, translations, ids, pages that are code': {
    files: {
      'docusaurus.config.ts': `export default {
        baseUrl: '/site/',
        i18n: { defaultLocale: 'en', locales: ['en', 'fr'] },
        presets: [['classic', { docs: { sidebarPath: './sidebars.ts' } }]],
        plugins: [
          ['@docusaurus/plugin-content-docs', { id: 'api', path: 'reference', routeBasePath: 'api', sidebarPath: './api.json' }],
          ['@docusaurus/plugin-client-redirects', { redirects: [{ from: ['/a', '/b'], to: '/docs/intro' }] }],
        ],
      };`,
      'sidebars.ts':
        "export default { main: ['intro', { type: 'category', label: 'More', items: ['deep/one', 'gone'] }] };",
      'api.json': json({ api: ['users'] }),
      'versions.json': json(['1.0']),
      'docs/intro.md': '',
      'docs/deep/01-first.md': '---\nid: one\n---\n',
      ...empty('docs/new.md versioned_docs/version-1.0/intro.md reference/users.md src/pages/help.tsx'),
      ...empty('i18n/fr/docusaurus-plugin-content-docs/current/intro.md blog/2024-05-06-hello.md'),
    },
    site: 'Docusaurus .',
    links: {
      'docs/intro.md → /docs/next/deep/one': 'docs/deep/01-first.md',
      'docs/intro.md → ./deep/01-first.md': 'docs/deep/01-first.md',
      'docs/intro.md → /docs/intro': 'versioned_docs/version-1.0/intro.md',
      'docs/intro.md → /site/api/users': 'reference/users.md',
      'docs/intro.md → /help': 'generated',
      'docs/intro.md → /a': 'generated',
      'docs/intro.md → /blog/2024/05/06/hello': 'blog/2024-05-06-hello.md',
      'docs/intro.md → /blog/tags/x': 'generated',
      'docs/intro.md → /helpless': 'broken',
      'docs/intro.md → /fr/docs/next/new': 'docs/new.md',
      'i18n/fr/docusaurus-plugin-content-docs/current/intro.md → ./new.md': 'docs/new.md',
    },
    entries: { intro: 'docs/intro.md', 'deep/one': 'docs/deep/01-first.md', gone: null, users: 'reference/users.md' },
    redirects: { '/a': '/docs/intro', '/b': '/docs/intro' },
    languages: ['en*', 'fr'],
    unlisted: ['docs/new.md'],
  },
  'rewrites, routes of data, locales, a base that ends inside of a name': {
    files: {
      'docs/.vitepress/config.ts': `export default {
        rewrites: { 'en/:rest*': ':rest*' },
        locales: { root: { lang: 'en' }, fr: { themeConfig: { sidebar: [{ text: 'A', link: '/fr/guide/a' }] } } },
        themeConfig: { sidebar: { '/guide/': { base: '/guide/', items: items() } } },
      };
      function items() { return [{ text: 'A', link: 'a' }, { text: 'X', base: '/ref/theme-', items: [{ text: 'N', link: 'nav' }] }, { text: 'No', link: 'no' }]; }`,
      ...empty('docs/en/guide/a.md docs/en/ref/theme-nav.md docs/en/pkg/[name].md docs/fr/guide/a.md'),
    },
    site: 'VitePress docs',
    links: {
      'docs/en/guide/a.md → /ref/theme-nav.html': 'docs/en/ref/theme-nav.md',
      'docs/en/guide/a.md → ../ref/theme-nav': 'docs/en/ref/theme-nav.md',
      'docs/en/guide/a.md → /fr/guide/a': 'docs/fr/guide/a.md',
      'docs/en/guide/a.md → /en/pkg/any': 'generated',
      'docs/en/guide/a.md → /guide/b': 'broken',
    },
    entries: {
      '/fr/guide/a': 'docs/fr/guide/a.md',
      a: 'docs/en/guide/a.md',
      nav: 'docs/en/ref/theme-nav.md',
      no: null,
    },
    languages: ['en*', 'fr'],
  },
  'languages by suffix, redirects of the plugin, what is not in the navigation': {
    files: {
      'mkdocs.yml':
        'nav:\n  - Home: index.md\n  - "guide/a.md"\n  - Gone: gone.md\nnot_in_nav: |\n  /drafts/\nplugins:\n  - search\n  - i18n:\n      languages:\n        - locale: en\n          default: true\n        - locale: fr\n  - redirects:\n      redirect_maps:\n        old.md: guide/a.md\nextra: !ENV [X]\n',
      ...empty('docs/index.md docs/guide/a.md docs/guide/a.fr.md docs/index.fr.md docs/drafts/x.md docs/new.md'),
    },
    site: 'MkDocs .',
    links: {
      'docs/index.fr.md → guide/a.md': 'docs/guide/a.md',
      'docs/guide/a.fr.md → ../new.fr.md': 'docs/new.md',
      'docs/index.md → guide/b.md': 'broken',
    },
    entries: { 'docs/index.md': 'docs/index.md', 'docs/guide/a.md': 'docs/guide/a.md', 'docs/gone.md': null },
    redirects: { '/old': 'guide/a.md' },
    languages: ['en*', 'fr'],
    unlisted: ['docs/new.md'],
  },
  'what a language lacks is served in the default one': {
    files: {
      'site/astro.config.mjs': `const locales = { root: { lang: 'en' }, 'pt-br': { lang: 'pt-BR' } };
      export default defineConfig({ base: '/docs', redirects: { '/was': '/guides/a' }, integrations: [starlight({ locales,
        sidebar: [{ label: 'G', items: ['guides/a', { label: 'B', slug: 'guides/b' }] }, { label: 'R', items: [{ autogenerate: { directory: 'reference' } }] }] })] });`,
      ...empty('site/src/content/docs/guides/a.mdx site/src/content/docs/pt-br/guides/a.mdx'),
      ...empty('site/src/content/docs/guides/new.md site/src/content/docs/reference/new.md site/src/pages/about.astro'),
    },
    site: 'Starlight site',
    links: {
      'site/src/content/docs/guides/a.mdx → /docs/pt-br/guides/new/': 'site/src/content/docs/guides/new.md',
      'site/src/content/docs/guides/a.mdx → /docs/guides/new/': 'site/src/content/docs/guides/new.md',
      'site/src/content/docs/guides/a.mdx → /docs/about': 'generated',
      'site/src/content/docs/guides/a.mdx → /docs/was': 'generated',
      'site/src/content/docs/guides/a.mdx → /docs/pt-br/gone/': 'broken',
      'site/src/content/docs/guides/a.mdx → /pt-br/guides/a/': 'broken',
      'site/src/content/docs/guides/a.mdx → /another-site/': 'unchecked',
    },
    entries: { 'guides/a': 'site/src/content/docs/guides/a.mdx', 'guides/b': null },
    redirects: { '/was': '/guides/a' },
    languages: ['en*', 'pt-BR'],
    unlisted: ['site/src/content/docs/guides/new.md'],
  },
  'content below a route, languages, entries by name': {
    files: {
      'next.config.mjs': `import nextra from 'nextra';
      export default nextra({})({ i18n: { locales: ['en', 'fr'], defaultLocale: 'en' }, redirects: () => [{ source: '/x', destination: '/docs/a' }] });`,
      ...empty('app/[lang]/docs/[[...mdxPath]]/page.jsx app/(site)/about/page.mdx app/api/[name]/page.tsx'),
      'content/en/_meta.js':
        "export default { index: 'Home', a: { title: 'A' }, _: { type: 'separator' }, out: { href: 'https://x.y' }, gone: '' };",
      ...empty('content/en/index.mdx content/en/a.mdx content/fr/a.mdx content/fr/only.mdx'),
    },
    site: 'Nextra .',
    links: {
      'content/fr/a.mdx → /docs/a': 'content/fr/a.mdx',
      'content/en/a.mdx → /en/docs/a': 'content/en/a.mdx',
      'content/en/a.mdx → /about': 'app/(site)/about/page.mdx',
      'content/en/a.mdx → /api/anything': 'generated',
      'content/en/a.mdx → /docs/b': 'broken',
      'content/en/a.mdx → /docs/only': 'broken',
      'content/fr/a.mdx → /docs/only': 'content/fr/only.mdx',
      'app/(site)/about/page.mdx → /docs/only': 'content/fr/only.mdx',
    },
    entries: { index: 'content/en/index.mdx', a: 'content/en/a.mdx', gone: null },
    redirects: { '/x': '/docs/a' },
    languages: ['en*', 'fr'],
  },
  'a pages folder': {
    files: {
      'next.config.js': "module.exports = require('nextra')('nextra-theme-docs')()",
      'pages/_meta.json': json({ index: 'Home', guide: 'Guide', gone: 'No' }),
      ...empty('pages/index.mdx pages/guide/start.mdx pages/app.tsx'),
    },
    site: 'Nextra .',
    links: {
      'pages/index.mdx → /guide/start': 'pages/guide/start.mdx',
      'pages/index.mdx → /app': 'generated',
      'pages/index.mdx → /guide/stop': 'broken',
    },
    entries: { index: 'pages/index.mdx', gone: null },
  },
  'groups, the rest of a folder, languages by suffix': {
    files: {
      'source.config.ts': "export const docs = defineDocs({ dir: 'content/docs' });",
      'lib/source.ts': "export const source = loader({ baseUrl: '/learn' });",
      'lib/i18n.ts': "export const i18n = defineI18n({ defaultLanguage: 'en', languages: ['en', 'cn'] });",
      'next.config.mjs': '',
      'content/docs/meta.json': json({
        pages: ['index', '---More---', '...(group)', '!hidden', 'gone', '[Out](https://x.y)'],
      }),
      ...empty('content/docs/index.mdx content/docs/(group)/a.mdx content/docs/(group)/a.cn.mdx'),
      ...empty('content/docs/hidden.mdx content/docs/new.mdx content/docs/part.shared.mdx content/blog/one.mdx'),
      ...empty('app/blog/[slug]/page.tsx app/shop/[id]/page.tsx'),
    },
    site: 'Fumadocs .',
    links: {
      'content/docs/index.mdx → /learn/a': 'content/docs/(group)/a.mdx',
      'content/docs/index.mdx → /cn/learn/a': 'content/docs/(group)/a.cn.mdx',
      'content/docs/index.mdx → /cn/learn/new': 'content/docs/new.mdx',
      'content/docs/index.mdx → /learn/part.shared': 'broken',
      'content/docs/index.mdx → /blog/one': 'content/blog/one.mdx',
      'content/docs/index.mdx → /blog/two': 'broken',
      'content/docs/index.mdx → /shop/two': 'generated',
    },
    entries: { index: 'content/docs/index.mdx', hidden: 'content/docs/hidden.mdx', gone: null },
    languages: ['en*', 'cn'],
    unlisted: ['content/docs/new.mdx'],
  },
  'folders that a list without the rest names, and one that it does not': {
    files: {
      ...empty('source.config.ts next.config.mjs'),
      'content/docs/meta.json': json({ pages: ['index', 'use', '...(more)', '!hidden'] }),
      ...empty('content/docs/index.mdx content/docs/use/a.mdx content/docs/(more)/b.mdx content/docs/hidden/c.mdx'),
      'content/docs/new/meta.json': json({ title: 'New' }),
      'content/docs/new/deep/d.mdx': '',
    },
    site: 'Fumadocs .',
    entries: { index: 'content/docs/index.mdx' },
    unlisted: ['content/docs/new/deep/d.mdx'],
  },
  'settings that another file holds, and one that overrides it': {
    files: {
      'site/mkdocs.yml': 'INHERIT: ../base.yml\ndocs_dir: pages\n',
      'base.yml':
        'INHERIT: base.yml\ndocs_dir: docs\nnav:\n  - Home: index.md\n  - gone.md\nplugins:\n  - redirects:\n      redirect_maps:\n        old.md: index.md\n',
      ...empty('site/pages/index.md site/pages/new.md'),
    },
    site: 'MkDocs site',
    entries: { 'site/pages/index.md': 'site/pages/index.md', 'site/pages/gone.md': null },
    redirects: { '/old': 'index.md' },
    unlisted: ['site/pages/new.md'],
  },
  'archived versions with sidebars of their own': {
    files: {
      'astro.config.mjs':
        "export default { integrations: [starlight({ plugins: [starlightVersions({ versions: [{ slug: '1.0' }] })], sidebar: ['start'] })] };\n",
      ...empty('src/content/docs/start.md src/content/docs/added.md'),
      // The plugin writes the address: Astro alone would make 10 of the folder.
      'src/content/docs/1.0/start.md': '---\nslug: 1.0/start\n---\n',
    },
    site: 'Starlight .',
    links: { 'src/content/docs/1.0/start.md → /1.0/start': 'src/content/docs/1.0/start.md' },
    entries: { start: 'src/content/docs/start.md' },
    unlisted: ['src/content/docs/added.md'],
  },
  'a space below its settings, with redirects': {
    files: {
      '.gitbook.yaml': 'root: ./space/\nstructure:\n  summary: TOC.md\nredirects:\n  old/page: guides/a b.md\n',
      'space/TOC.md':
        '* [Home](README.md)\n* [A](<guides/a b.md#x> "Title")\n* [Gone](gone.md)\n* [Out](https://x.y)\n',
      'space/README.md': '',
      'space/guides/a b.md': '',
      'space/new.md': '',
    },
    site: 'GitBook space',
    links: { 'space/README.md → guides/a%20b.md': 'space/guides/a b.md', 'space/README.md → guides/c.md': 'broken' },
    entries: {
      'space/README.md': 'space/README.md',
      'space/guides/a b.md': 'space/guides/a b.md',
      'space/gone.md': null,
    },
    redirects: { '/old/page': 'guides/a b.md' },
    unlisted: ['space/new.md'],
  },
  'settings in TOML, redirects of a plugin, what is left out': {
    files: {
      'zensical.toml': [
        '[project]',
        'docs_dir = "text"',
        'exclude_docs = "drafts/"',
        'not_in_nav = "tags.md"',
        'nav = [',
        '  # { Old = "guide/a.md" },',
        '  "index.md",',
        '  { Guide = [{ "guide/a.md" = "guide/a.md" }, { A = "guide/a.md#top" }, { Gone = "gone.md" }] },',
        '  { Out = "https://x.y" },',
        ']',
        '[project.plugins.redirects.redirect_maps]',
        '"old.md" = "guide/a.md"',
      ].join('\n'),
      ...empty('text/index.md text/guide/a.md text/guide/new.md text/drafts/b.md'),
    },
    site: 'Zensical .',
    links: { 'text/index.md → guide/a.md': 'text/guide/a.md', 'text/index.md → guide/b.md': 'broken' },
    entries: { 'text/index.md': 'text/index.md', 'text/guide/a.md': 'text/guide/a.md', 'text/gone.md': null },
    redirects: { '/old': 'guide/a.md' },
    unlisted: ['text/guide/new.md'],
  },
  'a language in a file of its own, which inherits from another': {
    files: {
      'mkdocs.fr.yml': 'INHERIT: shared/base.yml\nnav:\n  - index.md\n  - Perdu: perdu.md\n',
      'shared/base.yml': 'site_name: x\ndocs_dir: docs/fr\n',
      ...empty('docs/fr/index.md docs/fr/nouveau.md'),
    },
    site: 'MkDocs .',
    entries: { 'docs/fr/index.md': 'docs/fr/index.md', 'docs/fr/perdu.md': null },
    unlisted: ['docs/fr/nouveau.md'],
  },
  'bundles, languages, slugs, patterns of addresses, aliases, references by path and by name': {
    files: {
      'config/_default/hugo.yaml':
        'baseURL: https://x.org/base/\ndefaultContentLanguage: en\npermalinks:\n  posts: /:year/:slug/\n',
      'config/_default/languages.toml': '[en]\ncontentDir = "content/en"\n[fr]\ncontentDir = "content/fr"\n',
      'config/_default/menus.en.toml': '[[main]]\npageRef = "/docs/a"\n[[main]]\npageRef = "/docs/gone"\n',
      'content/en/docs/_index.md': '',
      'content/en/docs/a.md': '---\naliases: [old-a, /abs/a/]\n---\n',
      'content/en/docs/b.md': '---\nslug: Bee Slug\n---\n',
      'content/en/docs/Sub Dir/c.md': '',
      ...empty('content/en/docs/leaf/index.md content/en/docs/leaf/part.md content/en/docs/leaf/shot.png'),
      'content/en/posts/first.md': '+++\ntitle = "Post One!"\ndate = 2024-05-06\n+++\n',
      'content/en/u.md': '---\nurl: /custom/place/\n---\n',
      ...empty('content/fr/docs/a.md static/logo.svg'),
    },
    site: 'Hugo .',
    links: {
      'content/en/docs/a.md → ../bee-slug/': 'content/en/docs/b.md',
      'content/en/docs/a.md → b': 'content/en/docs/b.md',
      'content/en/docs/a.md → b.md': 'content/en/docs/b.md',
      'content/en/docs/a.md → /base/docs/sub-dir/c': 'content/en/docs/Sub Dir/c.md',
      'content/en/docs/a.md → /docs/old-a': 'content/en/docs/a.md',
      'content/en/docs/a.md → /abs/a/': 'content/en/docs/a.md',
      'content/en/docs/a.md → /docs/leaf/': 'content/en/docs/leaf/index.md',
      'content/en/docs/a.md → ../leaf/shot.png': 'content/en/docs/leaf/shot.png',
      'content/en/docs/leaf/index.md → shot.png': 'content/en/docs/leaf/shot.png',
      'content/en/docs/a.md → /2024/post-one/': 'content/en/posts/first.md',
      'content/en/docs/a.md → /custom/place': 'content/en/u.md',
      'content/en/docs/a.md → /fr/docs/a/': 'content/fr/docs/a.md',
      'content/en/docs/a.md → /posts/': 'generated',
      'content/en/docs/a.md → /tags/x/': 'generated',
      'content/en/docs/a.md → /logo.svg': 'static/logo.svg',
      'content/en/docs/a.md → ref leaf': 'content/en/docs/leaf/index.md',
      'content/en/docs/a.md → ref Sub Dir/c.md': 'content/en/docs/Sub Dir/c.md',
      'content/en/docs/a.md → ref /docs/b': 'content/en/docs/b.md',
      'content/en/docs/a.md → ref bee-slug': 'broken',
    },
    entries: { '/docs/a': 'content/en/docs/a.md', '/docs/gone': null },
    languages: ['en*', 'fr'],
  },
  'collections, posts, defaults, permalinks, redirects in front matter, links by tags and with variables': {
    files: {
      '_config.yml':
        'baseurl: /base\nplugins: [jekyll-redirect-from]\nexclude: [drafts/]\ncollections:\n  docs:\n    output: true\n    permalink: /:collection/:path/\n  hidden: {}\ndefaults:\n  - scope: {path: guides}\n    values: {permalink: /x/:basename}\n',
      '_data/navigation.yml': 'main:\n  - title: B\n    url: /docs/sub/b/\n  - url: "/gone"\n',
      ...empty('index.md README.md'),
      '_docs/sub/b.md': '---\nredirect_from: /old/\n---\n',
      '_posts/2024-05-06-first.md': '---\ncategories: [k, Ll]\n---\n',
      'guides/My C.md': '',
      'assets/z.md': '---\npermalink: /z/q.html\n---\n',
      ...empty('assets/shot.png pages/news.html drafts/d.md _hidden/h.md'),
    },
    site: 'Jekyll .',
    links: {
      'index.md → /docs/sub/b/': '_docs/sub/b.md',
      'index.md → /base/old': '_docs/sub/b.md',
      'index.md → /k/ll/2024/05/06/first.html': '_posts/2024-05-06-first.md',
      'index.md → /x/My%20C': 'guides/My C.md',
      'index.md → guides/My%20C.md': 'guides/My C.md',
      'index.md → /z/q.html': 'assets/z.md',
      'index.md → /README': 'README.md',
      'index.md → /news/': 'generated',
      'index.md → /docs/sub/c/': 'broken',
      '_docs/sub/b.md → ../../../assets/shot.png': 'assets/shot.png',
      'index.md → ref _docs/sub/b.md': '_docs/sub/b.md',
      'index.md → ref 2024-05-06-first': '_posts/2024-05-06-first.md',
      'index.md → ref _docs/sub/c.md': 'broken',
    },
    entries: { '/docs/sub/b/': '_docs/sub/b.md', '/gone': null },
  },
  'tabs, sections, versions in files of their own, slugs in front matter, pages of an API': {
    files: {
      'fern/fern.config.json': '{}',
      'fern/docs.yml':
        'instances:\n  - url: x.docs.buildwithfern.com\n    custom-domain: https://x.org/docs\nversions:\n  - display-name: Two\n    path: two.yml\n  - display-name: One\n    path: one.yml\n    slug: v1\nredirects:\n  - source: /old\n    destination: /guides/get-started/phone-calls\n',
      'fern/two.yml':
        'tabs:\n  guides: {display-name: Guides}\nnavigation:\n  - tab: guides\n    layout:\n      - section: Get Started\n        contents:\n          - page: Phone calls\n            path: pages/phone.mdx\n          - page: Gone\n            path: pages/gone.mdx\n      - section: Flat\n        skip-slug: true\n        path: pages/flat.mdx\n        contents:\n          - page: Own\n            path: pages/own.mdx\n      - api: API Reference\n',
      'fern/one.yml': 'navigation:\n  - page: Phone calls\n    path: pages/one.mdx\n    slug: phone\n',
      ...empty('fern/pages/phone.mdx fern/pages/flat.mdx'),
      'fern/pages/own.mdx': '---\nslug: else/where\n---\n',
      ...empty('fern/pages/one.mdx fern/pages/new.mdx fern/snippets/part.mdx'),
    },
    site: 'Fern fern',
    links: {
      'fern/pages/own.mdx → /guides/get-started/phone-calls': 'fern/pages/phone.mdx',
      'fern/pages/own.mdx → /docs/two/guides/get-started/phone-calls': 'fern/pages/phone.mdx',
      'fern/pages/own.mdx → ./phone.mdx': 'fern/pages/phone.mdx',
      'fern/pages/own.mdx → /else/where': 'fern/pages/own.mdx',
      'fern/pages/own.mdx → /v1/phone': 'fern/pages/one.mdx',
      'fern/pages/own.mdx → /phone': 'unchecked',
      'fern/pages/own.mdx → /docs/phone': 'broken',
      'fern/pages/own.mdx → /docs/guides/api-reference/users/list': 'generated',
      'fern/pages/own.mdx → /docs/old': 'generated',
    },
    entries: {
      'fern/pages/phone.mdx': 'fern/pages/phone.mdx',
      'fern/pages/gone.mdx': null,
      'fern/pages/flat.mdx': 'fern/pages/flat.mdx',
      'fern/pages/own.mdx': 'fern/pages/own.mdx',
      'fern/pages/one.mdx': 'fern/pages/one.mdx',
    },
    redirects: { '/old': '/guides/get-started/phone-calls' },
    unlisted: ['fern/pages/new.mdx'],
  },
  'numbers that order, data, routes, hidden parts': {
    files: {
      'docs/nuxt.config.ts': "export default defineNuxtConfig({ modules: ['@nuxt/content'] });",
      'docs/content/index.md': '',
      'docs/content/1.guides/2.First Steps.md': '',
      ...empty('docs/content/1.guides/index.md docs/content/_part.md docs/content/blog.yml docs/app/pages/about.vue'),
      ...empty('docs/app/pages/[slug].vue docs/public/logo.svg'),
    },
    site: 'Nuxt Content docs',
    links: {
      'docs/content/index.md → /guides/first-steps#x': 'docs/content/1.guides/2.First Steps.md',
      'docs/content/index.md → /guides': 'docs/content/1.guides/index.md',
      'docs/content/1.guides/index.md → 2.First%20Steps.md': 'docs/content/1.guides/2.First Steps.md',
      'docs/content/index.md → /guides/first': 'broken',
      'docs/content/index.md → /blog': 'generated',
      'docs/content/index.md → /about': 'generated',
      'docs/content/index.md → /logo.svg': 'docs/public/logo.svg',
    },
  },
  'code that reads a folder of pages, with addresses that their links show': {
    files: {
      'next.config.js': 'module.exports = { redirects: () => [] };',
      ...empty('src/pages/[[...path]].js src/pages/about.js'),
      'src/content/index.md': '[A](/learn/a) [B](/learn/b/) [C](/learn) [D](/blog/d) [E](/about)',
      ...empty('src/content/learn/index.md src/content/learn/a.md src/content/learn/b.md src/content/blog/d.md'),
      ...empty('public/logo.svg'),
      'README.md': '[A](src/content/learn/a.md)',
    },
    site: 'Next.js .',
    links: {
      'src/content/index.md → /learn/a#x': 'src/content/learn/a.md',
      'src/content/index.md → /learn/c': 'broken',
      'src/content/index.md → /about': 'generated',
      'src/content/index.md → /logo.svg': 'public/logo.svg',
      'README.md → src/content/learn/a.md': 'src/content/learn/a.md',
    },
  },
  'the collections of a site of its own on Astro, which routes serve': {
    files: {
      'web/astro.config.mjs':
        "import { defineConfig } from 'astro/config';\nexport default defineConfig({ redirects: { '/old': '/docs/start' } });",
      'web/src/content.config.ts':
        "const guides = defineCollection({ loader: glob({ base: './text', pattern: '**/*.md' }) });\nexport const collections = { docs: guides, blog: defineCollection({ schema }) };",
      'web/src/pages/docs/[...slug].astro':
        '---\nexport async function getStaticPaths() {\n  const all = await getCollection("docs");\n  return all.map((entry) => ({ params: { slug: entry.id.replace(/x/, "") } }));\n}\n---\n',
      'web/src/pages/blog/[page].astro':
        '---\nexport async function getStaticPaths({ paginate }) {\n  return paginate(await getCollection("blog"));\n}\n---\n',
      'web/src/pages/about.astro': '',
      'web/text/Start here.md': '[A](/docs/guides/a)',
      ...empty('web/text/guides/a.md web/text/guides/index.md'),
      'web/text/named.md': '---\nslug: by-name\n---\n',
      ...empty('web/src/content/blog/first.md web/public/logo.svg'),
    },
    site: 'Astro web',
    links: {
      'web/text/Start here.md → /docs/guides/a/#x': 'web/text/guides/a.md',
      'web/text/guides/a.md → /docs/start-here': 'web/text/Start here.md',
      'web/text/guides/a.md → ../by-name': 'web/text/named.md',
      'web/text/guides/a.md → /docs/guides': 'web/text/guides/index.md',
      'web/text/guides/a.md → /docs/guides/none': 'broken',
      'web/text/guides/a.md → /about': 'generated',
      'web/text/guides/a.md → /blog/first': 'generated',
      'web/text/guides/a.md → /logo.svg': 'web/public/logo.svg',
    },
    redirects: { '/old': '/docs/start' },
  },
  'a book with a source folder of its own': {
    files: {
      'book.toml': '[book]\nsrc = "text"\n\n[output.html.redirect]\n"/old.html" = "chapter/one.html"\n',
      'text/SUMMARY.md': '# Summary\n\n- [One](chapter/one.md)\n- [Gone](gone.md)\n- [Draft]()\n',
      ...empty('text/chapter/one.md text/chapter/loose.md'),
    },
    site: 'mdBook .',
    links: {
      'text/chapter/one.md → ./one.html': 'text/chapter/one.md',
      'text/chapter/one.md → loose.md': 'text/chapter/loose.md',
      'text/chapter/one.md → two.md': 'broken',
    },
    entries: { 'text/chapter/one.md': 'text/chapter/one.md', 'text/gone.md': null },
    redirects: { '/old': 'chapter/one.html' },
    unlisted: ['text/chapter/loose.md'],
  },
});

test.each(cases)(
  '$site: $name',
  ({ files, site: expected, links = {}, entries = {}, redirects = {}, languages = [], unlisted = [] }) => {
    const tree = toTree(files);
    const sites = openSites(tree);
    const [site] = sites;
    if (site === undefined) throw new Error('no site');
    expect(`${site.framework.name} ${site.root || '.'}`).toBe(expected);
    expect(Object.fromEntries(Object.keys(links).map((link) => [link, follow(tree, sites, link)]))).toEqual(links);
    expect(
      Object.fromEntries(site.navigation.map(({ target, page, isLost }) => [target, isLost ? null : page])),
    ).toEqual(entries);
    expect(Object.fromEntries(site.redirects.map(({ from, to }) => [from, to]))).toEqual(redirects);
    expect(site.languages.map(({ code, isDefault }) => `${code}${isDefault ? '*' : ''}`)).toEqual(languages);
    const listed = new Set(site.navigation.map(({ page }) => page));
    const missing = [...site.pages.keys()].filter((path) => site.mustBeListed(path) && !listed.has(path));
    expect(site.navigationFile === undefined ? [] : missing).toEqual(unlisted);
  },
);

test.each(cases)('$site: the places of entries and redirects are what is written there: $name', ({ files }) => {
  const tree = toTree(files);
  for (const { navigation, redirects } of openSites(tree)) {
    for (const { file, start, end, target } of navigation)
      expect(target.endsWith((files[file] ?? '').slice(start, end)), `${target} in ${file}`).toBe(true);
    for (const { file, start, end, to, from } of redirects)
      expect((files[file] ?? '').slice(start, end)).toBe(to ?? from);
  }
});

test('configurations of MkDocs beside each other are a site each', () => {
  const tree = toTree({
    'mkdocs.base.yml': 'site_name: x\n',
    'mkdocs.en.yml': 'INHERIT: mkdocs.base.yml\ndocs_dir: docs/en\n',
    'mkdocs.de.yml': 'INHERIT: mkdocs.base.yml\ndocs_dir: docs/de\n',
    ...empty('docs/en/a.md docs/de/b.md'),
  });
  const found = openSites(tree).map(({ framework, pages }) => [framework.name, ...pages.keys()]);
  expect(found).toEqual([['MkDocs', 'docs/en/a.md'], ['MkDocs', 'docs/de/b.md'], ['Markdown']]);
});

test('of several sites, a page belongs to the one with the nearest root, and without any to the plain site', () => {
  const tree = toTree({
    'mkdocs.yml': 'site_name: x\n',
    'docs/a.md': '',
    'docs/sub/docs.json': json({ navigation: { pages: ['b'] } }),
    ...empty('docs/sub/b.mdx README.md node_modules/x/docusaurus.config.js'),
  });
  const found = openSites(tree).map(({ framework, root, pages }) => [`${framework.name} ${root}`, ...pages.keys()]);
  expect(found).toEqual([
    ['Mintlify docs/sub', 'docs/sub/b.mdx'],
    ['MkDocs ', 'docs/a.md'],
    ['Markdown ', 'README.md'],
  ]);
});

test('Hugo makes anchors from the Markdown of a heading, without its attributes', () => {
  const [site] = openSites(toTree({ 'hugo.toml': '', 'content/a.md': '' }));
  const slugs = ['One Two & Three', 'Set [x](y) **b**', '`CODE` check {.notranslate lang=en}', '?'];
  expect(slugs.map((text) => site?.slug(text))).toEqual(['one-two--three', 'set-xy-b', 'code-check', 'heading']);
});
