import { drawHarmlessPage, drawHostilePage, type HostilePage } from '../grammars/pages.ts';
import type { Trial } from '../trial.ts';
import { hijack, isDone } from '../world/hijack.ts';

/** Sites by what their generator does with a page. */
const sites = {
  mdx: { 'docs.json': '{ "name": "Acme", "navigation": {} }\n', 'docs/index.mdx': '# Docs\n' },
  mkdocs: { 'mkdocs.yml': 'site_name: Acme\n', 'docs/index.md': '# Docs\n' },
  jekyll: { '_config.yml': 'title: Acme\n', 'docs/index.md': '# Docs\n' },
  hugo: { 'hugo.toml': 'title = "Acme"\n', 'docs/index.md': '# Docs\n' },
} as const;

/** A hijacked model writes code into pages that have none, in every form that a generator or a browser runs. */
export async function tryPages({ world, ledger, random, size }: Trial): Promise<void> {
  for (const site of ['mdx', 'mkdocs', 'jekyll', 'hugo'] as const) {
    const project = await world.addProject(sites[site]);
    const hostile = draw(Math.ceil(size / 2), () => drawHostilePage(random, site));
    const harmless = draw(8, () => drawHarmlessPage(random));
    const calls = [...hostile, ...harmless].map((page) => ({ name: 'write_file', arguments: { ...page } }));
    const words = { summary: 'I wrote pages.', title: 'Write pages' };
    const { answered, code } = await hijack(world, project, { calls, words });
    const taken = new Set(answered.flatMap(({ call, output }) => (isDone(output) ? [readPath(call.arguments)] : [])));
    const ran = hostile.filter(({ path }) => taken.has(path)).map(({ content }) => `${site} took ${show(content)}`);
    const lost = harmless.filter(({ path }) => !taken.has(path)).map((page) => `${site} refused ${show(page.content)}`);
    ledger.count(19, `models: code in ${site}`, hostile.length + harmless.length, [...ran, ...lost]);
    ledger.count(9, `models: code in ${site}`, 1, code === 'published' ? [] : [`the run ended ${code}`]);
  }
}

const draw = (count: number, one: () => HostilePage) => Array.from({ length: count }, one);

const show = (content: string) => JSON.stringify(content.replace(/^---\n.*?---\n\n/s, ''));

const readPath = (given: object | string): string =>
  typeof given === 'object' && 'path' in given ? String(given.path) : '';
