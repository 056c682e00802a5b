import { expect, test } from 'vitest';
import type { Files } from '../../../harness/memory-files.ts';
import { sampleKeys } from '../../support/values/sample-keys.ts';
import { tryChange } from '../try-change.ts';

const repository = {
  '.env': 'KEY=1',
  'src/keys.ts': `export const key = '${sampleKeys['github token']}'\n`,
  'src/pem.pem.ts': `${sampleKeys['private key']}\n`,
  'src/plain.ts': 'export const a = 1\n',
} satisfies Files;
const sites = {
  none: {},
  antora: {
    'docs/antora.yml': 'name: x\nversion: ~\n',
    'docs/modules/ROOT/pages/index.adoc': '= x\n\nOne badge::[label=beta] and glossterm:x[].\n',
  },
  sphinx: { 'docs/conf.py': '', 'docs/index.rst': 'x\n' },
  myst: { 'docs/conf.py': 'extensions = ["myst_parser"]', 'docs/index.md': 'x\n' },
  vitepress: { '.vitepress/config.ts': '', 'index.md': 'x\n' },
  hugo: {
    'hugo.toml': '',
    'content/_index.md':
      '---\ntype: docs\n---\n{{< new-in 0.1.0 />}} {{< include "/_common/a.md" >}} {{< card link="/x/" >}}\n',
    'content/_common/b.md': 'x\n',
  },
  jekyll: { '_config.yml': 'title: x', 'index.md': '---\n---\n' },
  eleventy: { 'eleventy.config.js': '', 'index.md': 'x\n' },
  docusaurus: { 'docusaurus.config.js': '', 'docs/index.md': 'x\n' },
  mkdocs: { 'mkdocs.yml': 'markdown_extensions: [pymdownx.snippets]', 'docs/index.md': 'x\n' },
  mintlify: { 'docs.json': '{"navigation": {}, "redirects": []}', 'index.mdx': 'x\n' },
} satisfies Record<string, Files>;

type Case = [what: string, site: keyof typeof sites, path: string, text: string];
const change = (site: keyof typeof sites, path: string, text: string) =>
  tryChange({ ...repository, ...sites[site] }, path, text);

test.each<Case>([
  [
    'a conditional that includes',
    'antora',
    'docs/modules/ROOT/pages/a.adoc',
    'ifdef::x[include::../../../../.env[]]\n',
  ],
  [
    'a conditional over lines',
    'antora',
    'docs/modules/ROOT/pages/a.adoc',
    'ifndef::x[]\ninclude::../../../../.env[]\nendif::[]\n',
  ],
  ['an evaluated conditional', 'none', 'a.adoc', 'ifeval::["{x}" == ""]\ninclude::.env[]\nendif::[]\n'],
  ['a cell that includes', 'none', 'a.adoc', '|===\na|include::.env[]\n|===\n'],
  ['a cell of AsciiDoc with a macro', 'none', 'a.adoc', '|===\na|\ninclude::.env[]\n|===\n'],
  ['a cell with a passthrough', 'none', 'a.adoc', '[cols="a"]\n|===\n|++++\n<script>x()</script>\n++++\n|===\n'],
  ['a nested table that includes', 'none', 'a.adoc', '|===\na|\n!===\na!include::.env[]\n!===\n|===\n'],
  ['a literal block that includes', 'none', 'a.adoc', '----\ninclude::.env[]\n----\n'],
  ['an attribute as a target', 'none', 'a.adoc', ':x: .env\n\ninclude::{x}[]\n'],
  ['a snippet of a key', 'vitepress', 'a.md', '<<< @/src/keys.ts\n'],
  ['a snippet of a private key', 'vitepress', 'a.md', '<<< ./src/pem.pem.ts{txt}\n'],
  ['a literalinclude of a key', 'sphinx', 'docs/a.rst', '.. literalinclude:: ../src/keys.ts\n'],
  ['a literalinclude of a private key', 'myst', 'docs/a.md', '```{literalinclude} ../src/pem.pem.ts\n```\n'],
  ['a snippet of a key for MkDocs', 'mkdocs', 'docs/a.md', '--8<-- "src/keys.ts"\n'],
  ['a secret file of a shortcode', 'hugo', 'content/a.md', '{{< include "/.env" >}}\n'],
  ['a file of the machine of a shortcode', 'hugo', 'content/a.md', '{{< include "/etc/passwd" >}}\n'],
  ['a file above the site of a shortcode', 'hugo', 'content/a.md', '{{< include "/../x.md" >}}\n'],
  ['a key of a shortcode', 'hugo', 'content/a.md', '{{< include "/src/keys.ts" >}}\n'],
  ['a drawing of a file', 'antora', 'docs/modules/ROOT/pages/a.adoc', 'x plantuml:../.env[]\n'],
  ['a layout of a type', 'hugo', 'content/a.md', '---\ntype: canary\n---\n'],
  ['a layout for the pages below', 'hugo', 'content/a.md', '---\ncascade:\n  - layout: canary\n---\n'],
  ['a layout of a theme', 'jekyll', 'a.md', '---\nlayout: page\n---\n'],
  ['a pass macro with a tag', 'antora', 'docs/modules/ROOT/pages/a.adoc', 'pass:q[<b onclick="x()">x</b>]\n'],
  ['a pass macro over lines', 'antora', 'docs/modules/ROOT/pages/a.adoc', 'pass:q[x\n<b onclick="x()">x</b>]\n'],
  ['a raw import of a key', 'docusaurus', 'docs/a.mdx', "import x from '!!raw-loader!../src/keys.ts'\n\n{x}\n"],
])('promise 4: %s is not read', async (_what, site, path, text) => {
  expect(await change(site, path, text)).toContain('would');
});

test.each<Case>([
  ['a redirect to a script', 'jekyll', 'a.md', '---\nredirect_to: "javascript:x()"\n---\n'],
  ['a redirect to a script with a tab', 'jekyll', 'a.md', '---\nredirect_to: "java\\tscript:x()"\n---\n'],
  ['a redirect to a quote', 'jekyll', 'a.md', `---\nredirect_to: "/x'+x()+'"\n---\n`],
  ['a redirect that ends an attribute', 'jekyll', 'a.md', '---\nredirect_to: \'/x"onload="x()\'\n---\n'],
  ['a redirect to another host', 'jekyll', 'a.md', '---\nredirect_to: //evil.example\n---\n'],
  ['a redirect to another host by a backslash', 'jekyll', 'a.md', '---\nredirect_to: /\\evil.example\n---\n'],
  ['an alias above the site', 'hugo', 'content/a.md', '---\naliases: [../../x.html]\n---\n'],
  ['an alias with an escape', 'hugo', 'content/a.md', '---\naliases: ["/%2e%2e/x"]\n---\n'],
  ['an alias in TOML', 'hugo', 'content/a.md', '+++\naliases = ["/../../x"]\n+++\n'],
  ['an address above the site', 'hugo', 'content/a.md', '---\nurl: /../../x\n---\n'],
  ['a permalink above the site', 'eleventy', 'a.md', '---\npermalink: /../eleventy.config.js\n---\n'],
  ['a permalink to code', 'eleventy', 'a.md', '---\npermalink: /x.js\n---\n'],
  ['a permalink to a hidden file', 'eleventy', 'a.md', '---\npermalink: /.htaccess\n---\n'],
  ['a permalink that is a template', 'eleventy', 'a.md', '---\npermalink: "/{{ title }}.html"\n---\n'],
  ['a permalink that is a list', 'eleventy', 'a.md', '---\npermalink: { build: "../x.html" }\n---\n'],
  ['a permalink of Jekyll', 'jekyll', 'a.md', '---\npermalink: /../../x/\n---\n'],
  ['an old address above the site', 'jekyll', 'a.md', '---\nredirect_from:\n  - /../x.html\n---\n'],
  ['a slug above the site', 'docusaurus', 'docs/a.md', '---\nslug: ../../../x\n---\n'],
  ['an address of Antora', 'antora', 'docs/modules/ROOT/pages/a.adoc', '= x\n:page-aliases: ../../../../x.adoc\n'],
])('promise 5: %s leads out of the site', async (_what, site, path, text) => {
  expect(await change(site, path, text)).toContain('would');
});

test.each<[string, string]>([
  ['a backslash', '/\\evil.example'],
  ['two backslashes', '\\\\evil.example'],
  ['a slash and a backslash', '\\/evil.example/x'],
  ['a tab', '/\t/evil.example'],
  ['a tab in a scheme', 'ht\ttps://evil.example'],
  ['a reference to a tab', '/&#9;/evil.example'],
  ['a reference to a line end', '&#10;//evil.example'],
  ['blanks before', '  //evil.example'],
  ['a scheme without slashes', 'https:evil.example'],
  ['a scheme with one slash', 'https:/evil.example'],
  ['a scheme in capitals', 'HTTPS://evil.example'],
  ['a script', 'java&#9;script:x()'],
  ['data', 'data:text/html,<script>x()</script>'],
  ['a blob', 'blob:https://evil.example/x'],
])('promise 19: a frame whose address has %s is no page of the site', async (_what, address) => {
  for (const [site, path] of [
    ['none', 'a.md'],
    ['mintlify', 'a.mdx'],
    ['vitepress', 'a.md'],
  ] as const) {
    for (const tag of ['iframe src', 'embed src', 'object data', 'form action'])
      expect
        .soft(await change(site, path, `<${tag}="${address}"></${tag.split(' ')[0]}>\n`), `${site} ${tag}`)
        .toContain('would');
  }
});

test.each<Case>([
  [
    'a picture',
    'none',
    'a.md',
    '<p align="center"><picture><source media="(x)" srcset="/a.png"><img src="/a.png" width="3" loading="lazy"></picture></p>\n',
  ],
  [
    'a drawing',
    'mintlify',
    'a.mdx',
    '<svg viewBox="0 0 1 1" strokeWidth={2} xmlns="http://www.w3.org/2000/svg"><path d="M0 0" fill="none" strokeLinecap="round" /></svg>\n',
  ],
  ['a formula', 'none', 'a.md', '<math display="block"><mo stretchy="false">(</mo></math>\n'],
  [
    'a table',
    'none',
    'a.md',
    '<table cellpadding="2"><tr><td colspan="2" scope="row" style="color: red">x</td></tr></table>\n',
  ],
  ['a video', 'none', 'a.md', '<video controls muted src="/a.mp4" poster="/a.png"></video>\n'],
  ['a grid', 'mkdocs', 'docs/a.md', '<div class="grid cards" markdown="1">\n\n- x\n\n</div>\n'],
  ['a link', 'none', 'a.md', '<a href="/x" target="_blank" rel="noopener" aria-label="x" title="on: y">x</a>\n'],
  ['props of a component', 'mintlify', 'a.mdx', '<Card title="x" icon="y" arrow="true" cta="z" horizontal>x</Card>\n'],
  [
    'a shortcode with other values',
    'hugo',
    'content/a.md',
    '{{< new-in 0.2.0 />}} {{< include "/_common/b.md" >}} {{< card link="/y/z/" >}}\n',
  ],
  ['values for the pages below', 'hugo', 'content/a.md', '---\ncascade:\n  version: v3\n  type: docs\n---\n'],
  ['a summary that is a page', 'hugo', 'content/Summary.md', '> [!WARNING]\n> x\n'],
  ['a layout of VitePress', 'vitepress', 'a.md', '---\nlayout: page\n---\n'],
  [
    'a pass macro with quotes alone',
    'antora',
    'docs/modules/ROOT/pages/a.adoc',
    '= x\n:description: pass:q[Show `%v{hex}` and _more_.]\n',
  ],
  ['macros of other pages', 'antora', 'docs/modules/ROOT/pages/a.adoc', 'See badge::[label=beta] of glossterm:y[].\n'],
  ['a placeholder', 'none', 'a.md', 'Run <command --flag=value> there\n'],
])('%s is plain HTML', async (_what, site, path, text) => {
  expect(await change(site, path, text)).toBeUndefined();
});

test('an attribute that a page of the base has may have another plain value', async () => {
  const files = { 'a.md': '<b data-tab="one">x</b>\n' };
  expect(await tryChange(files, 'b.md', '<i data-tab="two">x</i>\n')).toBeUndefined();
  expect(await tryChange(files, 'b.md', '<i data-tab="two()">x</i>\n')).toContain('data-tab');
});

test.each([
  'onclick="x()"',
  'ONCLICK=x()',
  'onpointerrawupdate="x()"',
  'onbeforetoggle="x()"',
  'on:click="x()"',
  'on-click="x()"',
  'onClick={x}',
  'hx-get="/x"',
  'hx-on::after-request="x()"',
  'hx-on:click="x()"',
  'data-hx-on:click="x()"',
  'hx-vals="js:{a: x()}"',
  'hx-trigger="click[x()]"',
  'x-init="x()"',
  'x-data="{a: x()}"',
  'x-on:click="x()"',
  'x-bind:href="x()"',
  'x-html="x"',
  'x-effect="x()"',
  'x-intersect.once="x()"',
  '@click="x()"',
  'x-mask:dynamic="x()"',
  'x-anchor="x()"',
  'x-resize="x()"',
  'x-sort="x()"',
  'x-trap="x()"',
  'x-collapse="x()"',
  'x-modelable="x"',
  ':class="x()"',
  '@click.prevent="x()"',
  'ng-click="x()"',
  'ng-init="x()"',
  'data-ng-init="x()"',
  'ng:click="x()"',
  'x-ng-init="x()"',
  '(click)="x()"',
  '[innerHTML]="x"',
  '*ngIf="x()"',
  'bind-href="x"',
  'v-on:click="x()"',
  'v-html="x"',
  'v-bind:href="x()"',
  'v-scope="x()"',
  'v-effect="x()"',
  'v-if="x()"',
  'data-action="click->x#y"',
  'data-controller="x"',
  'data-on-click="x()"',
  'data-on:click="x()"',
  'data-bind="click: x"',
  'data-init="x()"',
  'data-effect="x()"',
  'data-signals="{a: x()}"',
  'data-computed-a="x()"',
  '_="on click call x()"',
  'hs="x"',
  'data-script="on load x()"',
  'wire:click="x"',
  'up-on-loaded="x()"',
  'phx-click="x"',
  'unpoly="x"',
  'jsaction="click:x"',
  'data-remote="true"',
  'data-method="delete"',
  'data-turbo-stream="x"',
  'data-reflex="click->X#y"',
  'rv-on-click="x"',
  'm-on:click="x"',
  'n:click="x"',
  'dj-click="x()"',
  'data-dojo-props="x()"',
  'data-dojo-type="x"',
  'data-toggle="x" data-html="true" data-content="x"',
  'ic-get-from="/x"',
  'fx-action="/x"',
  'srcdoc="x"',
  'is="x"',
  'data-th-onclick="x"',
  'th:onclick="x"',
  'data-template="x"',
  'ping="https://evil.example/x"',
  'formaction="javascript:x()"',
])('promise 19: `%s` is refused in each dialect', async (attribute) => {
  for (const [site, path] of [
    ['none', 'a.md'],
    ['mintlify', 'a.mdx'],
    ['vitepress', 'a.md'],
  ] as const) {
    expect.soft(await change(site, path, `<b ${attribute}>x</b>\n`), site).toContain('would');
  }
});
