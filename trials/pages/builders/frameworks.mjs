// Readers of frameworks for batch.mjs: each as its own builder calls it.

import { existsSync, readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

export function createFrameworkReaders({ folder, packages, secret, load, showModule, withoutStrings }) {
  const require = createRequire(join(packages, 'package.json'));
  const packaged = (path) => join(packages, 'node_modules', path);
  const loadFile = (path) => import(pathToFileURL(packaged(path)).href);

  return {
    /** The loader of pages, with a catalogue of one component. */
    async antora() {
      const { loadAsciiDoc, resolveAsciiDocConfig } = require('@antora/asciidoc-loader');
      const classifyContent = require('@antora/content-classifier');
      const create = (path, text) => ({
        path,
        dirname: join(path, '..'),
        contents: Buffer.from(text),
        src: {
          path,
          abspath: join('/x', path),
          basename: path.split('/').at(-1),
          extname: '.adoc',
          stem: 'x',
          mediaType: 'text/asciidoc',
          origin: {},
        },
      });
      return (text) => {
        const files = [
          create('modules/ROOT/pages/page.adoc', text),
          create('modules/ROOT/partials/part.adoc', 'part\n'),
        ];
        const catalog = classifyContent({ site: {}, urls: {} }, [{ name: 'x', version: '', files }]);
        const [page] = catalog.getPages();
        return loadAsciiDoc(page, catalog, resolveAsciiDocConfig({})).convert();
      };
    },
    async observable() {
      const { createMarkdownIt, parseMarkdown } = await loadFile('@observablehq/framework/dist/markdown.js');
      const md = createMarkdownIt();
      return (text) => {
        const { head, header, body, footer, code } = parseMarkdown(text, { md, path: '/page' });
        const run = code.map(({ node }) => withoutStrings(node.input)).join('\n');
        return `${[head, header, body, footer].filter(Boolean).join('\n')}\n<script>${run.replaceAll('</', '<\\/')}</script>`;
      };
    },
    async rspress() {
      const { compile } = await loadFile('@rspress/core/dist/node/mdx/processor.js');
      return async (source, filepath) =>
        showModule(
          await compile({ source, filepath, docDirectory: join(folder, 'docs'), config: null, pluginDriver: null }),
          secret,
        );
    },
    async fumadocs() {
      const { createProcessor } = await load('@mdx-js/mdx');
      const { applyMdxPreset, remarkInclude } = await loadFile('fumadocs-mdx/dist/config/index.js');
      const { default: directive } = await load('remark-directive');
      const { default: matter } = await load('gray-matter');
      const { remarkDirectiveAdmonition } = await loadFile('fumadocs-core/dist/mdx-plugins/index.js');
      const { remarkPlugins, rehypePlugins } = await applyMdxPreset({
        rehypeCodeOptions: false,
        remarkImageOptions: { onError: 'ignore' },
        remarkPlugins: [directive, remarkDirectiveAdmonition],
      })();
      const options = { outputFormat: 'program', remarkPlugins: [remarkInclude, ...remarkPlugins], rehypePlugins };
      const processor = createProcessor(options);
      return async (text, path) => showModule(await processor.process({ value: matter(text).content, path }), secret);
    },
    async mintlify() {
      const { serialize } = await loadFile('@mintlify/mdx/dist/server/index.js');
      console.error = () => {};
      return async (source) => {
        const { compiledSource, error } = await serialize({ source, syntaxHighlightingOptions: { linkMap: {} } });
        if (error !== undefined) throw error;
        return showModule(compiledSource);
      };
    },
    /** A component shows its data; an event or a binding runs, or reads the data of the page. */
    async nuxt() {
      const { createMarkdownParser } = await loadFile('@nuxtjs/mdc/dist/runtime/parser/index.js');
      const { default: destr } = await load('destr');
      const parse = await createMarkdownParser({ highlight: false });
      const escapeHtml = (text) =>
        String(text).replaceAll('&', '&amp;').replaceAll('"', '&quot;').replaceAll('<', '&lt;');
      const show = (node) => {
        if (node.type === 'text') return escapeHtml(node.value);
        if (node.tag === 'binding') return /canary/.test(node.props?.value) ? '<script>canary</script>' : '';
        const attributes = Object.entries(node.props ?? {}).flatMap(([name, value]) => {
          if (name === 'v-bind') return Object.entries(Object(destr(value)));
          return [
            [
              name.replace(/^(?::|v-bind:)/, '').replace(/^(?:@|v-on:)/, 'on'),
              name.startsWith(':') ? destr(value) : value,
            ],
          ];
        });
        // Vue leaves out names that are none.
        const known = attributes.filter(([name]) => /^[^\s"'<>/=]+$/.test(name));
        const written = known.map(
          ([name, value]) => ` ${name}="${escapeHtml(typeof value === 'object' ? JSON.stringify(value) : value)}"`,
        );
        return `<${node.tag ?? 'div'}${written.join('')}>${(node.children ?? []).map(show).join('')}</${node.tag ?? 'div'}>`;
      };
      return async (text) => show((await parse(text.replace(/\r\n/g, '\n'))).body);
    },
    async honkit() {
      const lib = (path) => require(packaged(`honkit/lib/${path}`)).default;
      const [Book, Output, createEngine, render] = [
        'models/book',
        'models/output',
        'output/createTemplateEngine',
        'templating/render',
      ].map(lib);
      const createNodeFS = lib('fs/node');
      const parsers = lib('parsers');
      const parser = parsers.getByExt('.md');
      let book = Book.createForFS(createNodeFS(folder));
      book = book.set('config', book.getConfig().updateValues({ variables: { canary: secret } }));
      const output = new Output({ book, generator: 'website' });
      const engine = createEngine(output);
      console.log = () => {};
      console.error = () => {};
      return async (text, path) => {
        const { attributes, body = text } = await Promise.resolve(require('front-matter')(text)).catch(() => ({}));
        const prepared = await parser.preparePage(body);
        const rendered = await render(engine, path, prepared, { book: { canary: secret }, page: attributes });
        return (await parser.parsePage(rendered.getContent())).content;
      };
    },
    /** In a browser: what runs changes the page. */
    async docsify() {
      const { chromium } = await import('playwright-core');
      const isOld = existsSync(packaged('docsify/lib/docsify.js'));
      const files = {
        '/': `<div id="app"></div><script>
          window.ran = false;
          window.canary = () => { window.ran = true; };
          window.canary.toString = () => { window.ran = true; return ''; };
          window.$docsify = { executeScript: true, el: '#app', name: 'x', vueGlobalOptions: { data: () => ({ canary: window.canary }) }, plugins: [(hook) => hook.doneEach(() => setTimeout(() => window.shown?.(), 0))] };
        </script><script src="/vue.js"></script><script src="/docsify.js"></script>`,
        '/vue.js': readFileSync(packaged('vue/dist/vue.global.prod.js'), 'utf8'),
        '/docsify.js': readFileSync(packaged(isOld ? 'docsify/lib/docsify.js' : 'docsify/dist/docsify.js'), 'utf8'),
        '/README.md': '# Index\n',
        '/.env': secret,
      };
      const server = createServer((request, response) => {
        const text = files[decodeURIComponent(request.url.split('?')[0])];
        response.writeHead(text === undefined ? 404 : 200, {
          'content-type': request.url.endsWith('.js') ? 'text/javascript' : 'text/html',
        });
        response.end(text);
      }).listen(0, '127.0.0.1');
      await new Promise((resolve) => server.once('listening', resolve));
      const origin = `http://127.0.0.1:${server.address().port}`;
      const browser = await chromium.launch({ executablePath: '/usr/bin/chromium' });
      const tab = await browser.newPage();
      await tab.goto(`${origin}/`);
      let count = 0;
      return async (text) => {
        count += 1;
        files[`/page-${count}.md`] = text;
        const { html, ran } = await tab.evaluate(async (address) => {
          window.ran = false;
          const shown = new Promise((resolve) => {
            window.shown = resolve;
            setTimeout(resolve, 3000);
          });
          location.hash = address;
          await shown;
          const view = document.querySelector('.markdown-section') ?? document.body;
          return { html: view.innerHTML, ran: window.ran };
        }, `#/page-${count}`);
        delete files[`/page-${count}.md`];
        return `${html}${ran ? '<script>canary()</script>' : ''}`;
      };
    },
  };
}
