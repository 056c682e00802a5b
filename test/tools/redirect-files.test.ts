import { expect, test } from 'vitest';
import { createToolbox } from './toolbox.ts';

const page = (title: string, body = 'text') => `---\ntitle: ${title}\n---\n\n${body}\n`;
const starlight = {
  'astro.config.mjs':
    "import starlight from '@astrojs/starlight';\nexport default { integrations: [starlight({ defaultLocale: 'en', locales: { en: { label: 'English' }, ja: { label: '日本語' } } })] };\n",
  'package.json': '{"dependencies": {"@astrojs/starlight": "1"}}',
  'src/content/docs/en/guides/old.md': page('Old'),
  'src/content/docs/en/guides/new.md': page('New'),
  'src/content/docs/en/index.md': page('Home', '[old](/en/guides/old/)'),
  'src/content/docs/ja/index.md': page('Home', '[old](/ja/guides/old/) and https://acme.dev/ja/guides/old/'),
};
const docusaurus = {
  'docusaurus.config.js': 'export default {};\n',
  'docs/old.md': page('Old'),
  'docs/new.md': page('New'),
};
const next = {
  'source.config.ts': 'export const docs = 1;\n',
  'content/docs/old.mdx': page('Old'),
  'content/docs/new.mdx': page('New'),
};
const hugo = { 'hugo.toml': 'title = "x"\n', 'content/old.md': page('Old'), 'content/new.md': page('New') };

test.each<[string, Record<string, string>, string, string, string, string, string]>([
  [
    'public/_redirects',
    starlight,
    'public/_redirects',
    '/en/a/ /en/guides/new/ 301\n',
    'src/content/docs/en/guides/old.md',
    'src/content/docs/en/guides/new.md',
    '/en/guides/old/ /en/guides/new/ 301\n',
  ],
  [
    'static/_redirects',
    docusaurus,
    'static/_redirects',
    '/a /docs/new 301\n',
    'docs/old.md',
    'docs/new.md',
    '/docs/old /docs/new 301\n',
  ],
  [
    'static/_redirects of Hugo',
    hugo,
    'static/_redirects',
    '/a/ /new/\n',
    'content/old.md',
    'content/new.md',
    '/old/ /new/\n',
  ],
  [
    'netlify.toml',
    docusaurus,
    'netlify.toml',
    '[[redirects]]\nfrom = "/a"\nto = "/docs/new"\n',
    'docs/old.md',
    'docs/new.md',
    '[[redirects]]\nfrom = "/docs/old"\nto = "/docs/new"\n',
  ],
  [
    'docs.yml of Fern, whose redirects have no blank lines between them',
    { 'fern/fern.config.json': '{}', 'fern/pages/old.mdx': page('Old'), 'fern/pages/new.mdx': page('New') },
    'fern/docs.yml',
    'navigation:\n  - page: Old\n    path: pages/old.mdx\n  - page: New\n    path: pages/new.mdx\nredirects:\n  - source: /a\n    destination: /new\n',
    'fern/pages/old.mdx',
    'fern/pages/new.mdx',
    'destination: /new\n  - source: /old\n    destination: /new\n',
  ],
  [
    'netlify.toml of VitePress, to the index of a folder, which needs a slash',
    {
      '.vitepress/config.js': 'export default {}\n',
      'old.md': page('Old'),
      'es/index.md': page('Home'),
      'guide/a.md': page('A'),
    },
    'netlify.toml',
    '[[redirects]]\nfrom = "/guide/"\nto = "/guide/a"\n',
    'old.md',
    'es/index.md',
    'to = "/es/"\n',
  ],
  [
    'vercel.json',
    docusaurus,
    'vercel.json',
    '{ "redirects": [{ "source": "/a", "destination": "/docs/new" }] }\n',
    'docs/old.md',
    'docs/new.md',
    '{ "source": "/docs/old", "destination": "/docs/new" }',
  ],
  [
    'next.config.mjs',
    next,
    'next.config.mjs',
    "export default { async redirects() { return [{ source: '/a', destination: '/docs/new', permanent: true }]; } };\n",
    'content/docs/old.mdx',
    'content/docs/new.mdx',
    "{ source: '/docs/old', destination: '/docs/new', permanent: true }",
  ],
])(
  'a page that is deleted in favour of another gets a redirect in %s',
  async (_, site, file, text, path, to, expected) => {
    await using box = await createToolbox({ ...site, [file]: text });
    const { isError, output } = await box.call('delete_file', { path, redirect_to: to });
    expect({ isError, output }).toEqual({
      isError: false,
      output: expect.stringContaining(`added a redirect in ${file}`),
    });
    expect(await box.read(file)).toContain(expected);
  },
);

test('a redirect in any file of the site that led to the deleted page leads on', async () => {
  await using box = await createToolbox({
    ...docusaurus,
    'netlify.toml': '[[redirects]]\nfrom = "/a"\nto = "/docs/old"\n',
    'static/_redirects': '/b /docs/old\n/c /docs/new\n',
    'vercel.json': '{ "redirects": [{ "source": "/d", "destination": "/docs/old" }] }\n',
  });
  await box.call('delete_file', { path: 'docs/old.md', redirect_to: 'docs/new.md' });
  expect(await box.read('netlify.toml')).toContain('to = "/docs/new"');
  expect(await box.read('static/_redirects')).toContain('/b /docs/new\n');
  expect(await box.read('vercel.json')).toContain('"destination": "/docs/new"');
});

test('links of other languages to a page that they fall back to follow, and what names it there is told', async () => {
  await using box = await createToolbox(starlight);
  const output = await box.output('delete_file', {
    path: 'src/content/docs/en/guides/old.md',
    redirect_to: 'src/content/docs/en/guides/new.md',
  });
  expect(await box.read('src/content/docs/en/index.md')).toContain('[old](/en/guides/new/)');
  expect(await box.read('src/content/docs/ja/index.md')).toContain('[old](/ja/guides/new/)');
  expect(output).toContain('Still named as text or in code');
  expect(output).toContain('https://acme.dev/ja/guides/old/');
});

test.each([
  [
    'rediraffe',
    'rediraffe_redirects = {\n    # Moved\n    "a.rst": "guide/use.rst",\n}\n',
    'rediraffe_redirects = {\n    # Moved\n    "a.rst": "guide/use.rst",\n    "old.rst": "guide/new.rst",\n}\n',
  ],
  [
    'sphinx-reredirects',
    "redirects = {\n    'a': 'guide/use.html',\n}\n",
    "redirects = {\n    'a': 'guide/use.html',\n    'old': 'guide/new.html',\n}\n",
  ],
])('a page of Sphinx that moves gets a redirect of %s in conf.py', async (_, before, after) => {
  const title = (text: string) => `${text}\n${'='.repeat(text.length)}\n`;
  const head = 'project = "x"\nextensions = ["sphinxext.rediraffe", "sphinx_reredirects"]\n';
  await using box = await createToolbox({
    'conf.py': head + before,
    'index.rst': `${title('Home')}\n.. toctree::\n\n   old\n   guide/use\n`,
    'old.rst': title('Old'),
    'guide/use.rst': title('Use'),
  });
  const { output, isError } = await box.call('move_file', { from: 'old.rst', to: 'guide/new.rst' });
  expect({ output, isError }).toEqual({
    output: expect.stringContaining('added a redirect in conf.py'),
    isError: false,
  });
  expect(await box.read('conf.py')).toBe(head + after);
  for (const edit of [
    { old_text: 'project = "x"', new_text: 'import os; project = "x"' },
    { old_text: '}', new_text: '    "b": os.system("x"),\n}' },
    { old_text: '}', new_text: '    "b": "javascript:x",\n}' },
    { old_text: '}', new_text: '    **load(),\n}' },
    { old_text: '}', new_text: '    # a\rimport os\n}' },
  ])
    expect(await box.call('edit_file', { path: 'conf.py', edits: [edit] })).toMatchObject({ isError: true });
  expect(await box.call('delete_file', { path: 'conf.py' })).toMatchObject({ isError: true });
});
