import { expect, test } from 'vitest';
import { findAddedCode } from '../../../src/workspace/policy/find-added-code.ts';
import { createWorld } from '../world.ts';

const check = (path: string, before: string | null, after: string) => findAddedCode(path, before ?? '', after);

const site = [
  'site_name: Docs',
  'copyright: Copyright &copy; 2026',
  'nav:',
  '  - index.md',
  'INHERIT: base.yml',
  'plugins:',
  '  - search',
  '  - macros:',
  '      module_name: macros',
  'markdown_extensions:',
  '  - pymdownx.emoji:',
  '      emoji_index: !!python/name:material.extensions.emoji.twemoji',
  'hooks:',
  '- hooks/on_build.py',
  '',
].join('\n');
const change = (from: string, to: string) => {
  expect(site).toContain(from);
  return site.replace(from, to);
};

test.each<[string, string]>([
  ['a page of the navigation', change('index.md\n', 'index.md\n  - Guide: guide.md\n')],
  ['pages called hooks and plugins', change('index.md\n', 'index.md\n  - hooks: h.md\n  - "plugins": p.md\n')],
  ['a page about a file called plugins', change('index.md\n', 'index.md\n  - Ours: api/plugins.md\n')],
  ['the copyright', change('2026', '2027')],
  ['comments and empty lines', change('  - search\n', '\n  # finds pages\n  - search  \n')],
  ['line endings', site.replaceAll('\n', '\r\n')],
  ['the order of settings', `${change('hooks:\n- hooks/on_build.py\n', '')}\nhooks:\n- hooks/on_build.py\n`],
  ['less of it', change('hooks:\n- hooks/on_build.py\n', '').replace('INHERIT: base.yml\n', '')],
])('promise 5: in mkdocs.yml %s may change', (_what, after) => {
  expect(check('mkdocs.yml', site, after)).toBeUndefined();
});

test.each<[string, string]>([
  ['another hook', `${site}- hooks/more.py\n`],
  ['another hook, indented', change('- hooks/on_build.py', '  - hooks/on_build.py\n  - hooks/more.py')],
  ['another parent', change('base.yml', 'other.yml')],
  ['another plugin', change('  - search\n', '  - search\n  - exec\n')],
  ['an option of a plugin', change('module_name: macros', 'module_name: deploy')],
  ['plugins for the second time', `${site}plugins: [exec]\n`],
  ['a quoted key', `${site}"hooks" : [x.py]\n`],
  ['an escaped key', `${site}"\\x68ooks": [x.py]\n`],
  ['a key with a question mark', `${site}? hooks\n: [x.py]\n`],
  ['a key in braces', `${site}extra: {a: 1, hooks: [x.py]}\n`],
  ['a merge', `${site}x: &x\n  - y: [x.py]\n<<: *x\n`],
  ['what is nested for a merge', change('site_name: Docs', 'x: &x\n  hooks: [x.py]\nsite_name: Docs')],
  ['a merge by its tag', `${site}!!merge x: *x\n`],
  ['what a comment hides that ends as in YAML 1.1 only', `${site}# more\u0085plugins: [exec]\n`],
  ['a byte order mark', `\uFEFFhooks: [x.py]\n${site}`],
])('promise 5: in mkdocs.yml %s is refused', (_what, after) => {
  expect(check('mkdocs.yml', site, after)).toContain('is new or changed. Make your other edits');
  expect(check('docs/MkDocs.en.YAML', null, after)).toContain('code');
});

test('promise 5: a byte order mark does not hide the block of the first line', () => {
  const before = '\uFEFFhooks:\n- a.py\n';
  expect(check('mkdocs.yml', before, `${before}- b.py\n`)).toContain('is new or changed');
});

test('promise 5: a plugin list in brackets ends at the closing bracket', () => {
  const before = 'plugins: [\n  search,\n]\nnav: []\n';
  expect(check('mkdocs.yml', before, 'plugins: [\n  search,\nexec,\n]\nnav: []\n')).toContain('plugins: [ is new');
  expect(check('mkdocs.yml', before, 'plugins: [\n  search,\n]\nnav: [a.md]\n')).toBeUndefined();
  const quoted = "plugins:\n  - exclude: '[^a'\n";
  expect(check('mkdocs.yml', quoted, `${quoted}nav: [a.md]\n`)).toBeUndefined();
});

test.each([
  'a: !!python/object/apply:os.system [id]',
  'a: !<tag:yaml.org,2002:python/name:os.system>',
  'a: !!pyth%6fn/name:os.system',
  '\uFEFF%TAG !p! tag:example.com:x\n---\na: 1',
  'a: [1, !!js/function "x"]',
  'a: !ruby/object:Gem::Installer',
])('promise 5: YAML may keep %j, but not gain it', (text) => {
  expect(check('docs/openapi.yaml', null, text)).toContain('YAML tag that can run code');
  expect(check('docs/openapi.yaml', text, `${text}\nb: 2`)).toBeUndefined();
});

test.each([
  ['hooks: [a]\nplugins: [b]\n', 'docs/_data/nav.yml'],
  ['a: ![logo](img/js/logo.png) and !!str 7, 100% sure!\n', 'docs/openapi.yaml'],
])('other YAML may contain %j', (text, path) => {
  expect(check(path, null, text)).toBeUndefined();
});

test('promise 5: YAML that is not UTF-8 is refused', () => {
  expect(findAddedCode('mkdocs.yml', '', null)).toContain('not be UTF-8 text');
});

test.each(['hooks:\n', '!', ':!', '"\\', ' ', '[', '? ', '- ', '"', ': &a '])(
  'a megabyte of %j is checked quickly',
  (part) => {
    const text = part.repeat(2 ** 20 / part.length);
    const startedAt = performance.now();
    check('mkdocs.yml', text, `${text}x`);
    expect(performance.now() - startedAt).toBeLessThan(2_000);
  },
);

test('promise 5: code in YAML is compared with the file at the start of the run, for every kind of write', async () => {
  await using world = await createWorld();
  const entries = { 'mkdocs.yml': site, 'notes.txt': 'hooks: [x.py]\n', 'docs/a.yml': 'a: 1\n' };
  await using workspace = await world.open(entries);
  const evil = `${site}- hooks/more.py\n`;
  const refused = { kind: 'refused', reason: expect.stringContaining('hooks: is new or changed') };
  expect(await workspace.writeFile('mkdocs.yml', evil)).toEqual(refused);
  expect(await workspace.readFile('mkdocs.yml')).toEqual({ kind: 'text', text: site });
  expect(await workspace.removeFile('mkdocs.yml')).toEqual({ kind: 'removed' });
  expect(await workspace.writeFile('mkdocs.yml', evil)).toEqual(refused);
  expect(await workspace.moveFile('notes.txt', 'mkdocs.yml')).toMatchObject({ kind: 'refused' });
  expect(await workspace.readFile('notes.txt')).toMatchObject({ kind: 'text' });
  expect(await workspace.writeFile('mkdocs.yml', 'nav: []\n')).toEqual({ kind: 'written' });
  // What was taken out by mistake can be put back.
  expect(await workspace.writeFile('mkdocs.yml', `${site}# restored\n`)).toEqual({ kind: 'written' });
  expect(await workspace.writeFile('docs/a.yml', 'a: !!python/name:os.system\n')).toMatchObject({ kind: 'refused' });

  const writes = new Map([['mkdocs.yml', Buffer.from(evil)]]);
  await expect(world.open(entries, { writes })).rejects.toMatchObject({ reason: 'earlier_write_refused' });
});
