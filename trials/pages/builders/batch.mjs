// Writes FOLDER/docs/NAME.html beside each page: node batch.mjs READER FOLDER PACKAGES. What would run is in <script>: the judge looks there.
import { globSync, readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { createFrameworkReaders } from './frameworks.mjs';

const [kind, folder, packages] = process.argv.slice(2);
const require = createRequire(join(packages, 'package.json'));
const load = (name) => import(pathToFileURL(require.resolve(name)).href);
const secret = folder === '' ? '' : readFileSync(join(folder, '.env'), 'utf8').trim();
/** Eleventy gives what its template languages make to markdown-it. */
const { default: MarkdownIt } = await import('markdown-it');
const markdown = new MarkdownIt({ html: true });
const withoutStrings = (code) =>
  code
    .replace(/\/\*[\s\S]*?\*\/|"(?:[^"\\\n]|\\.)*"|`(?:[^`\\$]|\\.|\$(?!\{))*`/g, '""')
    .replace(/_component_\w+/g, '');

/** A file that it shows is in a text of it. */
const showModule = (module, read) => {
  const shown = read && String(module).includes(read) ? read : '';
  return `<script>${withoutStrings(String(module)).replaceAll('</', '<\\/')}</script>${shown}`;
};

const readers = {
  ...createFrameworkReaders({ folder, packages, secret, load, showModule, withoutStrings }),
  async vitepress() {
    const { createMarkdownRenderer } = await import(
      pathToFileURL(join(packages, 'node_modules/vitepress/dist/node/index.js')).href
    );
    const { compile } = await load('@vue/compiler-dom');
    const renderer = await createMarkdownRenderer(folder, { math: false });
    return async (text, path) => {
      const env = { path, relativePath: 'docs/page.md', cleanUrls: false };
      const html = await (renderer.renderAsync ?? renderer.render).call(renderer, text, env);
      const blocks = [env.sfcBlocks?.script, env.sfcBlocks?.scriptSetup, ...(env.sfcBlocks?.customBlocks ?? [])];
      const { code } = compile(env.sfcBlocks?.template?.content ?? html, {
        mode: 'module',
        hoistStatic: false,
        onError() {},
      });
      const live = [withoutStrings(code), ...blocks.map((block) => block?.content ?? '')].join('\n');
      return `${html}\n<script>${live.replaceAll('</', '<\\/')}</script>`;
    };
  },
  async vuepress() {
    const { createMarkdown } = await load('@vuepress/markdown');
    const { compile } = await load('@vue/compiler-dom');
    const renderer = createMarkdown();
    return (text, path) => {
      const env = { filePath: path, filePathRelative: 'docs/page.md', frontmatter: {} };
      const html = renderer.render(text, env);
      const { code } = compile(env.sfcBlocks?.template?.content ?? html, {
        mode: 'module',
        hoistStatic: false,
        onError() {},
      });
      const blocks = [env.sfcBlocks?.script, env.sfcBlocks?.scriptSetup].map((block) => block?.content ?? '');
      return `${html}\n<script>${[withoutStrings(code), ...blocks].join('\n').replaceAll('</', '<\\/')}</script>`;
    };
  },
  /** What a component of Svelte reads. */
  async mdsvex() {
    const { compile } = await load('mdsvex');
    const svelte = await load('svelte/compiler');
    const { parse } = svelte.default ?? svelte;
    const reads = (node) =>
      typeof node === 'object' && node !== null && (/^canary$/i.test(node.name) || Object.values(node).some(reads));
    return async (text, path) => {
      const { code } = await compile(text, { filename: path, extensions: ['.md'] });
      return `${code}\n<script>${reads(parse(code, { modern: true })) ? 'canary()' : ''}</script>`;
    };
  },
  async liquid() {
    const { Liquid } = await load('liquidjs');
    const engine = new Liquid({ root: [folder, join(folder, 'docs')], extname: '' });
    return async (text) => markdown.render(await engine.parseAndRender(text, { canary: secret }));
  },
  async nunjucks() {
    const nunjucks = await load('nunjucks');
    const environment = (nunjucks.default ?? nunjucks).configure([folder, join(folder, 'docs')], { autoescape: false });
    return (text) => markdown.render(environment.renderString(text, { canary: secret }));
  },
  async markdoc() {
    const { default: Markdoc } = await load('@markdoc/markdoc');
    return (text) => {
      const content = Markdoc.transform(Markdoc.parse(text), {
        tags: { callout: { render: 'div', attributes: { title: { type: String } } } },
        variables: { canary: secret },
        functions: { canary: { transform: () => secret } },
      });
      return Markdoc.renderers.html(content);
    };
  },
  async eleventy() {
    const main = join(packages, 'node_modules/@11ty/eleventy/src/Eleventy.js');
    const { Eleventy } = await import(pathToFileURL(main).href);
    process.chdir(folder || '.');
    return async (_text, path) => {
      const site = new Eleventy(path.slice(folder.length + 1), '_site', {
        quietMode: true,
        config: (configuration) => configuration.addGlobalData('canary', secret),
      });
      site.disableLogger();
      const [{ content, outputPath }] = await site.toJSON();
      const isOutside = !outputPath.startsWith('./_site/') || outputPath.includes('..');
      return isOutside ? `${content}<script>canary: written to ${outputPath}</script>` : content;
    };
  },
  async mdx() {
    const { compile } = await load('@mdx-js/mdx');
    const plugins = await Promise.all(['remark-frontmatter', 'remark-gfm', 'remark-math'].map(load));
    return async (text) => showModule(await compile(text, { remarkPlugins: plugins.map((plugin) => plugin.default) }));
  },
  /** What Docusaurus does to a page before and while it compiles MDX. */
  async 'docusaurus-mdx'() {
    const { compile } = await load('@mdx-js/mdx');
    const { default: matter } = await load('gray-matter');
    const names = ['@slorber/remark-comment', 'remark-gfm', 'remark-math', 'remark-directive'];
    const remarkPlugins = (await Promise.all(names.map(load))).map((plugin) => plugin.default);
    const unwrapped = /^([ \t]*)(`{3,})mdx-code-block[ \t]*\r?\n([\s\S]*?)\r?\n[ \t]*\2[ \t]*$/gm;
    return async (text) => {
      const body = matter(text)
        .content.replace(unwrapped, '$3')
        .replace(/^(#{1,6} .*)(?<!\\)\{#/gm, '$1\\{#');
      return showModule(await compile(body, { remarkPlugins }));
    };
  },
  async 'asciidoctor-js'() {
    const { convert, LoggerManager, NullLogger } = await load('@asciidoctor/core');
    LoggerManager.setLogger(NullLogger.create());
    return (text, path) =>
      convert(text, {
        safe: 'unsafe',
        base_dir: join(path, '..'),
        standalone: true,
        attributes: { linkcss: '' },
      });
  },
};

// Without a folder, whether the reader is there.
const convert = await readers[kind]();
if (folder === '') process.exit(0);
for (const path of globSync(join(folder, 'docs/page*.{md,mdx,mdoc,adoc}'))) {
  const html = await Promise.resolve()
    .then(() => convert(readFileSync(path, 'utf8'), path))
    .catch((error) => `<!-- failed: ${error.name} ${error.message} -->`);
  writeFileSync(path.replace(/\.\w+$/, '.html'), html);
}
process.exit(0);
