import fc from 'fast-check';
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { tryChange } from '../try-change.ts';

const site = [
  '# The site',
  'site_name: Docs',
  'site_description: All you need',
  'docs_dir: docs',
  'theme:',
  '  name: material',
  'nav:',
  '  - Home: index.md',
  '  - Guides:',
  '      - guides/index.md',
  "      - 'Start: here': guides/start.md",
  '  - "Caf\\u00e9": cafe.md',
  '',
  '# What the build runs',
  'plugins:',
  '  - search',
  '  - redirects:',
  '      redirect_maps:',
  '        old.md: index.md',
  '  - macros:',
  '      module_name: macros',
  'markdown_extensions:',
  '  - pymdownx.emoji:',
  '      emoji_index: !!python/name:material.extensions.emoji.twemoji',
  'extra:',
  '  key: !ENV [KEY, none]',
  'not_in_nav: |',
  '  drafts/*',
  'hooks:',
  '- hooks/on_build.py',
  '',
].join('\n');
const change = (from: string, to: string, text = site) => {
  expect(text).toContain(from);
  return text.replace(from, to);
};
const check = (after: string, before = site) => tryChange({ 'mkdocs.yml': before }, 'mkdocs.yml', after);

test.each<[string, string]>([
  ['a page', change('index.md\n', 'index.md\n  - Guide: guide.md\n')],
  ['a page in a section', change('      - guides/index.md\n', '      - guides/index.md\n      - guides/new.md\n')],
  [
    'a section with comments',
    change('  - Guides:\n', '  - More:\n      # new\n      - more/a.md\n\n      - B: more/b.md\n  - Guides:\n'),
  ],
  ['pages called hooks and plugins', change('index.md\n', 'index.md\n  - hooks: h.md\n  - "plugins": p.md\n')],
  ['an address', change('index.md\n', 'index.md\n  - Forum: https://forum.example.com/a?b=c#d\n')],
  ['a question in French', change('index.md\n', 'index.md\n  - Pourquoi ? Comment !: faq.md\n')],
  ['another order', change('  - Home: index.md\n', '').replace('cafe.md\n', 'cafe.md\n  - Home: index.md\n')],
  ['fewer pages', change("      - 'Start: here': guides/start.md\n", '')],
  ['no pages', change(site.slice(site.indexOf('  - Home'), site.indexOf('\n# What')), '')],
  [
    'another list, indented in another way',
    change(site.slice(site.indexOf('  - Home'), site.indexOf('\n# What')), '- index.md\n- A: a.md\n'),
  ],
  [
    'redirects',
    change('        old.md: index.md\n', "        old.md: index.md\n        'old/b.md': https://example.com/b\n"),
  ],
  ['what is not in the navigation', change('  drafts/*\n', '  drafts/*\n  /notes/\n')],
  ['line ends', site.replaceAll('\n', '\r\n')],
  ['the line end of the file', site.trimEnd()],
  ['files to exclude', `${site}exclude_docs: |\n  drafts/\n`],
  [
    'all of these',
    `${change('index.md\n', 'index.md\n  - a.md\n').replace('  drafts/*\n', '  b/*\n').replace('old.md: index', 'old.md: a')}\n# more\nexclude_docs: |\n  c/\n`,
  ],
])('in mkdocs.yml %s may change', async (_, after) => {
  expect(await check(after)).toBeUndefined();
});

/** The first eleven are row 2 of what was once broken: each was accepted and built with MkDocs. */
test.each<[string, string]>([
  ['hooks behind an alias', change('All you need', '&k hooks').concat('*k : [gen.py]\n')],
  ['a folder of templates', change('  name: material\n', '  name: material\n  custom_dir: docs/theme\n')],
  [
    'a theme by an alias key',
    change('Docs\n', '&c custom_dir\n').replace('  name: material\n', '  name: material\n  *c : docs\n'),
  ],
  ['a secret of the environment', change('All you need', '!ENV SECRET')],
  ['a secret in a title', change('  - Home: index.md\n', '  - Home: !ENV SECRET\n')],
  ['extra templates', `${site}extra_templates: [a.html]\n`],
  ['another docs_dir', change('docs_dir: docs', 'docs_dir: /etc')],
  ['a site_dir', `${site}site_dir: ../x\n`],
  [
    'a base path of snippets',
    change('markdown_extensions:\n', 'markdown_extensions:\n  - pymdownx.snippets:\n      base_path: /\n'),
  ],
  ['a parent', `INHERIT: base.yml\n${site}`],
  ['extra_javascript', `${site}extra_javascript: [https://evil.example/x.js]\n`],
  ['another hook', `${site}- hooks/more.py\n`],
  ['another plugin', change('  - search\n', '  - search\n  - exec\n')],
  ['an option of a plugin', change('module_name: macros', 'module_name: deploy')],
  ['less of it', change('hooks:\n- hooks/on_build.py\n', '')],
  ['a comment', change('# The site', '# My site')],
  ['the site’s name', change('Docs\n', 'Dox\n')],
  ['plugins for the second time', `${site}plugins: [exec]\n`],
  ['the navigation for the second time', `${site}nav:\n  - a.md\n`],
  ['an escaped key', `${site}"\\x68ooks": [x.py]\n`],
  ['a key with a question mark', `${site}? hooks\n: [x.py]\n`],
  ['a merge', change('  - Home: index.md\n', '  - Home: index.md\n  - <<: *x\n')],
  ['an anchor', change('Home: index.md', 'Home: &x index.md')],
  ['an alias', change('Home: index.md', 'Home: *x')],
  ['a tag', change('Home: index.md', 'Home: !!str index.md')],
  ['a comment that ends as in YAML 1.1 only', change('index.md\n', 'index.md\n  # x\u0085hooks: [x.py]\n')],
  ['a comment at the end that ends as in YAML 1.1 only', `${site}# more\u0085plugins: [exec]\n`],
  ['a comment that ends at U+2028', change('index.md\n', 'index.md\n  # x\u2028hooks: [x.py]\n')],
  ['a byte order mark', `\uFEFF${site}`],
  ['a byte order mark in a line', change('  - Home', '\uFEFFhooks: [x]\n  - Home')],
  ['a lone carriage return', change('index.md\n', 'index.md\n  # x\rhooks: [x.py]\n')],
  ['another document', `${site}---\nhooks: [x.py]\n`],
  ['the end of the document', change('nav:\n', 'nav:\n---\n')],
  ['an open bracket', change('  - Home: index.md\n', '  - Home: [\n')],
  ['an open quote', change('  - Home: index.md\n', '  - Home: "a\n')],
  ['a flow list over the lines that follow', change('nav:\n', 'nav: [\n')],
  ['a key at the depth of nav', change('  - Home: index.md\n', '  - Home: index.md\nhooks: [x.py]\n')],
  [
    'a key in the navigation of a plugin',
    change('        old.md: index.md\n', '        old.md: index.md\n      more: x\n'),
  ],
  ['code in a link', change('index.md\n', 'index.md\n  - A: "javascript:alert(1)"\n')],
  ['code in a link, split', change('index.md\n', 'index.md\n  - A: "java\n      script:alert(1)"\n')],
  ['a link without a protocol', change('index.md\n', 'index.md\n  - A: //evil.example\n')],
  ['another protocol', change('index.md\n', 'index.md\n  - A: file:///etc/passwd\n')],
  ['a page elsewhere', change('index.md\n', 'index.md\n  - A: ../../secret.md\n')],
  ['HTML in a title', change('index.md\n', 'index.md\n  - A <img src=x onerror=y>: a.md\n')],
  ['a template in a title', change('index.md\n', 'index.md\n  - "{{ config.extra.key }}": a.md\n')],
  ['a redirect to code', change('old.md: index.md', 'old.md: javascript:alert(1)')],
  ['hidden files', `${site}exclude_docs: |\n  !.env\n`],
])('promise 5: in mkdocs.yml %s is refused', async (_, after) => {
  expect(await check(after)).toContain('You may change nav, not_in_nav, exclude_docs and redirect_maps');
});

test('promise 5: mkdocs.yml is neither added, removed nor turned into binary', async () => {
  expect(await tryChange({}, 'docs/MkDocs.en.YAML', 'nav: []\n')).toContain('is protected');
  expect(await tryChange({ 'mkdocs.yml': site }, 'mkdocs.yml', null)).toContain('is protected');
  expect(await tryChange({ 'mkdocs.yml': site }, 'mkdocs.yml', new Uint8Array([0xff, 0xfe]))).toContain('not be UTF-8');
});

test('a base that is not taken apart safely stays as it is, and says so', async () => {
  for (const before of ['a: [\n', 'nav: [a.md]\nx: 1\u0085\n', 'site_name: x, nav: y\nnav: &n\n- a.md\n']) {
    expect(await check(`${before}\n# x\n`, before)).toContain('You may change nav');
  }
});

test('a navigation in brackets becomes one in block style', async () => {
  expect(await check('nav:\n  - a.md\n  - b.md\nx: 1\n', 'nav: [a.md]\nx: 1\n')).toBeUndefined();
});

test('a conflict of merged branches can be resolved, but not used', async () => {
  const before = 'a: 1\nnav:\n<<<<<<< branch\n  - a.md\n=======\n  - b.md\n>>>>>>> base\nhooks: [x.py]\n';
  expect(await check('a: 1\nnav:\n  - a.md\n  - b.md\nhooks: [x.py]\n', before)).toBeUndefined();
  expect(await check('a: 1\nnav:\n  - a.md\nhooks: [y.py]\n', before)).toContain('You may change nav');
});

const whole: [string, string, string | undefined, string, string | undefined][] = [
  ['a menu of awesome-nav', 'docs/.nav.yml', 'nav:\n  - a.md\n', 'nav:\n  - a.md\n  - B: b.md\n', undefined],
  ['a new menu', 'docs/api/.pages', undefined, 'title: API\nnav:\n  - a.md\n', undefined],
  ['a tag in a menu', 'docs/.pages', 'title: A\n', 'title: !ENV X\n', 'the tag !ENV'],
  ['an anchor in a menu', 'docs/.pages', 'title: A\n', 'title: &x A\n', 'the anchor &x'],
  ['a key twice', 'docs/.pages', 'title: A\n', 'title: A\ntitle: B\n', 'the key title twice'],
  ['HTML in a menu', 'docs/.pages', 'title: A\n', 'title: <script>\n', 'holds HTML'],
  ['a category', 'docs/_category_.yml', 'label: A\n', 'label: B\nposition: 3\n', undefined],
  ['a class of a category', 'docs/_category_.yml', 'label: A\n', 'label: A\nclassName: x\n', 'not a key'],
  [
    'a redirect of GitBook',
    '.gitbook.yaml',
    'root: ./\nredirects:\n  a: b.md\n',
    'root: ./\nredirects:\n  a: b.md\n  c: d.md\n',
    undefined,
  ],
  ['the root of GitBook', '.gitbook.yaml', 'root: ./\n', 'root: ../\n', 'only its redirects'],
  [
    'data of Jekyll',
    '_data/nav.yml',
    '- title: A\n  url: /a\n',
    '- title: A\n  url: /a\n- title: B\n  url: /b\n',
    undefined,
  ],
  ['HTML in data of Jekyll', '_data/nav.yml', '- title: A\n', '- title: <b onclick=x>\n', 'holds HTML'],
];

test.each(whole)('promise 5: %s', async (_, path, before, after, says) => {
  const markers = { 'mkdocs.yml': '', 'docusaurus.config.js': '', '_config.yml': '' };
  const files = before === undefined ? markers : { ...markers, [path]: before };
  expect(await tryChange(files, path, after)).toEqual(says === undefined ? undefined : expect.stringContaining(says));
});

const word = fc.stringMatching(/^[a-z]{1,8}$/);
const entry = fc.tuple(word, word).map(([title, page]) => `  - ${title}: ${page}.md\n`);
const line = fc.constantFrom(
  ...['hooks: [x.py]\n', '*k : v\n', '? hooks\n', '<<: *x\n', 'theme: {custom_dir: x}\n', '  custom_dir: x\n'],
  ...['    - !ENV X\n', '  - &a b\n', '"\\x68ooks": x\n', '---\n', '...\n', '%TAG ! x\n', '\u0085x: 1\n', '\t- a\n'],
  ...['  - a: |\n', '  - "\n', '  - [\n', '- x: y\n', '    redirect_maps: {a: b}\n', '  - {a: b}\n', ' \n', '# x\n'],
);

test('promise 5: whatever is written into mkdocs.yml, what is accepted leaves all but its containers as they were', async () => {
  const containers = ['nav', 'not_in_nav', 'exclude_docs'];
  const rest = (text: string) => {
    const value = parse(text, { logLevel: 'silent' });
    for (const key of containers) delete value[key];
    for (const plugin of value.plugins) if (plugin.redirects) delete plugin.redirects.redirect_maps;
    return value;
  };
  const expected = rest(site);
  const lines = site.split(/(?<=\n)/);
  let accepted = 0;
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.tuple(fc.nat(lines.length), fc.oneof({ weight: 3, arbitrary: entry }, line)), {
        minLength: 1,
        maxLength: 3,
      }),
      async (inserts) => {
        const after = [...lines];
        for (const [at, text] of inserts) after.splice(at, 0, text);
        if ((await check(after.join(''))) !== undefined) return;
        accepted += 1;
        expect(rest(after.join(''))).toEqual(expected);
      },
    ),
    { numRuns: 500 },
  );
  expect(accepted).toBeGreaterThan(0);
});

test('promise 5: an accepted edit with one more line outside of the navigation is refused', async () => {
  await fc.assert(
    fc.asyncProperty(
      entry,
      fc.nat(5),
      fc.constantFrom('hooks: [x]\n', 'x: 1\n', '*a : 1\n', '# x\n'),
      async (page, at, more) => {
        const good = change('  - Guides:\n', `${page}  - Guides:\n`);
        const lines = good.split(/(?<=\n)/);
        expect(await check(good)).toBeUndefined();
        lines.splice(at, 0, more);
        expect(await check(lines.join(''))).toContain('You may change');
      },
    ),
    { numRuns: 50 },
  );
});
