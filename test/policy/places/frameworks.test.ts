import { expect, test } from 'vitest';
import { ownSites } from '../../../bench/seeded-faults/own-sites.ts';
import type { Framework, Marker } from '../../../src/docs/frameworks/framework.ts';
import { frameworks } from '../../../src/docs/frameworks/frameworks.ts';
import { findMarked } from '../../../src/docs/frameworks/marked.ts';
import { openSites } from '../../../src/docs/sites/open-sites.ts';
import { createTree } from '../../../src/docs/tree.ts';
import { createFindPlace } from '../../../src/policy/places/find-place.ts';
import { findRoots } from '../../../src/policy/places/find-roots.ts';
import { readLayout } from '../../../src/policy/places/read-layout.ts';
import { checkFiles, type Files } from '../../docs/support/check-files.ts';
import { createBase, tryChange } from '../try-change.ts';

const checked = frameworks.filter(({ sites }) => sites);
const filesOf = ({ name }: Framework): Files => ownSites.find((site) => site.name === name)?.files ?? {};

const isConfiguration = (framework: Framework) => (path: string) =>
  findMarked(path).some((marked) => marked.framework === framework && !marked.marker.path.endsWith('/'));

/** The framework's own site, marked in another way. */
function markSite(framework: Framework, { path }: Marker): Files {
  const files = filesOf(framework);
  const spelled = path.replace('*', '.en');
  const configuration = Object.keys(files).find(isConfiguration(framework));
  if (path.endsWith('/')) return { [`${spelled}more.json`]: '{}', ...files };
  const isAlike = configuration?.replace(/.*\./, '').slice(-2) === spelled.slice(-2) || /\.[cm]?[jt]sx?$/.test(spelled);
  if (configuration === undefined || !isAlike || configuration.toLowerCase() === spelled)
    return { ...files, [spelled]: files[spelled] ?? '' };
  const { [configuration]: text = '', ...others } = files;
  return { ...others, [spelled]: text };
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
    expect([file, findPlace(file).kind]).toEqual([file, expect.stringMatching(/^(?:data|code)$/)]);
  for (const path of site?.pages.keys() ?? []) {
    if (findPlace(path).kind !== 'page') continue;
    const dialect = layout.findDialect(path);
    expect(dialect.components).toEqual(expect.arrayContaining([...(framework.dialect?.components ?? [])]));
    expect(dialect.vue || !framework.dialect?.vue).toBe(true);
    expect(dialect.syntax === 'mdx' || framework.dialect?.isMdx === undefined).toBe(true);
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
