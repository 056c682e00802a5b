import { expect, test } from 'vitest';
import { ownSites } from '../../../bench/seeded-faults/own-sites.ts';
import { createBase } from '../../../harness/memory-files.ts';
import type { Framework, Marker } from '../../../src/docs/frameworks/framework.ts';
import { frameworks } from '../../../src/docs/frameworks/frameworks.ts';
import { findMarked } from '../../../src/docs/frameworks/marked.ts';
import { openSites } from '../../../src/docs/sites/open-sites.ts';
import { createTree } from '../../../src/docs/tree.ts';
import { createFindPlace } from '../../../src/policy/places/find-place.ts';
import { findRoots } from '../../../src/policy/places/find-roots.ts';
import { readLayout } from '../../../src/policy/places/read-layout.ts';
import { checkFiles, type Files } from '../../docs/support/check-files.ts';
import { tryChange } from '../try-change.ts';

const checked = frameworks.filter(({ sites }) => sites);
const filesOf = ({ name }: Framework): Files => ownSites.find((site) => site.name === name)?.files ?? {};

const isConfiguration = (framework: Framework) => (path: string) =>
  findMarked(path).some((marked) => marked.framework === framework && !marked.marker.path.endsWith('/'));

/** Rspress in a configuration of all tools. */
const shared = "define.doc({ title: 'Acme' });\n";

/** The framework's own site, marked in another way. */
function markSite(framework: Framework, { path, contains }: Marker): Files {
  const files = filesOf(framework);
  const spelled = path.replace('*', '.en');
  const configuration = Object.keys(files).find(isConfiguration(framework));
  if (path.endsWith('/')) return { [`${spelled}more.json`]: '{}', ...files };
  const isAlike = configuration?.replace(/.*\./, '').slice(-2) === spelled.slice(-2) || /\.[cm]?[jt]sx?$/.test(spelled);
  if (configuration === undefined || !isAlike || configuration.toLowerCase() === spelled)
    return { ...files, [spelled]: files[spelled] ?? '' };
  const { [configuration]: text = '', ...others } = files;
  return { ...others, [spelled]: contains?.test(text) === false ? shared : text };
}

const markers = checked.flatMap((framework) =>
  framework.markers
    .filter(({ isOfPages }) => !isOfPages)
    .map((marker) => [framework.name, marker.path, framework, marker] as const),
);

test.each(checked)('$name has a small site of its own to be tried on', (framework) => {
  expect(Object.keys(filesOf(framework)).length).toBeGreaterThan(0);
});

test.each(markers)('%s is known by %s to the checks and to the policy', async (_, __, framework, marker) => {
  const files = markSite(framework, marker);
  const base = createBase(files);
  const tree = createTree({ paths: new Set(Object.keys(files)), read: (path) => files[path] });
  const site = openSites(tree).find((each) => each.framework === framework);
  expect(site?.pages.size).toBeGreaterThan(0);
  expect((await findRoots(base)).roots.map((root) => root.framework.name)).toContain(framework.name);

  const layout = await readLayout(base);
  const findPlace = createFindPlace(layout);
  const named = [site?.navigationFiles, site?.redirectFiles].flatMap((each) => each ?? []);
  for (const file of named)
    expect([file, findPlace(file).kind]).toEqual([
      file,
      // A toctree and a nav.adoc are pages of the policy.
      expect.stringMatching(/\.(?:rst|md|adoc)$/.test(file) ? /^(?:data|page)$/ : /^(?:data|code)$/),
    ]);
  for (const path of site?.pages.keys() ?? []) {
    if (findPlace(path).kind !== 'page') continue;
    const dialect = layout.findDialect(path);
    expect(dialect.components).toEqual(expect.arrayContaining([...(framework.dialect?.components ?? [])]));
    expect(dialect.vue !== false || !framework.dialect?.vue).toBe(true);
    expect(dialect.syntaxes.includes('mdx') || framework.dialect?.isMdx === undefined).toBe(true);
  }
});

const withComponents = checked.flatMap((framework) =>
  framework.dialect?.components ? [[framework.name, framework.dialect.components, framework] as const] : [],
);

test.each(withComponents)(
  'the components of %s are known to the checks and to the policy',
  async (_, components, framework) => {
    const files = filesOf(framework);
    const [path = '', text = ''] = Object.entries(files).find(([each]) => /\.mdx?$/.test(each)) ?? [];
    const tags = components.map((name) => `<${name}></${name}>\n\n`).join('');
    const page = `${path.slice(0, path.lastIndexOf('/') + 1)}new.${path.endsWith('x') ? 'mdx' : 'md'}`;
    expect(await tryChange(files, page, text + tags)).toBeUndefined();
    const { problems } = checkFiles(files, { [page]: text + tags });
    expect(problems.filter(({ kind }) => kind === 'component' || kind === 'syntax')).toEqual([]);
  },
);

const inherited = {
  'config/mkdocs.en.yml': 'INHERIT: ./shared/base.yml\nnav:\n  - index.md\n',
  'config/shared/base.yml': 'INHERIT: deeper.yml\nsite_name: x\nplugins:\n  - macros\n',
  'config/shared/deeper.yml': 'theme:\n  custom_dir: ../looks\nnav:\n  - index.md\n',
  'config/docs/index.md': '# Home\n',
};

test('promise 32: files that MkDocs inherits from are guarded like its configuration', async () => {
  for (const [path, text] of Object.entries(inherited).slice(0, 3)) {
    if (text.includes('nav:')) expect(await tryChange(inherited, path, `${text}  - a.md\n`), path).toBeUndefined();
    expect(await tryChange(inherited, path, `${text}hooks: [a.py]\n`), path).toContain('cannot be written like this');
  }
  expect(await tryChange(inherited, 'config/looks/a.md', 'x')).toContain('templates');
  expect(await tryChange(inherited, 'config/docs/new.md', '{{ config }}\n')).toContain('template');
});

test('a page is read as all frameworks above it read it, and as those that lead to it from beside', async () => {
  const files = {
    'SUMMARY.md': '# Summary\n',
    'site/docusaurus.config.js': "export default { presets: [['classic', { docs: { path: '../guides' } }]] };\n",
    'site/docs/docs.json': '{"navigation": {}}',
    'site/docs/a.md': 'a\n',
    'guides/b.md': 'b\n',
    'other/c.md': 'c\n',
  };
  const { findDialect } = await readLayout(createBase(files));
  expect(findDialect('site/docs/a.md')).toMatchObject({ syntaxes: ['mdx', 'markdown'], templates: ['gitbook'] });
  expect(findDialect('site/docs/a.md').components).toEqual(expect.arrayContaining(['Details', 'Prompt']));
  expect(findDialect('guides/b.md')).toMatchObject({ syntaxes: ['mdx', 'markdown'], components: ['Details', 'Head'] });
  expect(findDialect('other/c.md')).toMatchObject({ syntaxes: ['markdown'], templates: ['gitbook'] });
});

const zensical = '[project]\nsite_name = "x"\nnav = [\n  { Home = "index.md" },\n]\n';

test.each<[string, string, string | undefined]>([
  ['a page', zensical.replace('\n]\n', '\n  { "Q&A" = "qa.md" },\n]\n'), undefined],
  ['a group', zensical.replace('\n]\n', '\n  { More = ["a.md", { B = "b.md" }] },\n]\n'), undefined],
  ['a script', `${zensical}extra_javascript = ["x.js"]\n`, 'something else would differ'],
  ['code in the navigation', zensical.replace('index.md', 'javascript:x'), 'holds code'],
])('promise 32: the navigation of Zensical is data: %s', async (_, after, refusal) => {
  const found = await tryChange({ 'zensical.toml': zensical }, 'zensical.toml', after);
  expect(found).toEqual(refusal === undefined ? undefined : expect.stringContaining(refusal));
});
