import { createBase, type Files } from '../../harness/memory-files.ts';
import { isProse } from '../../src/docs/page-extensions.ts';
import { createGit } from '../../src/git/git.ts';
import { readBaseFiles } from '../../src/policy/base-files.ts';
import { type PageToRead, scanPage } from '../../src/policy/pages/scan-page.ts';
import { plainName } from '../../src/policy/places/file-types.ts';
import { readLayout } from '../../src/policy/places/read-layout.ts';
import { describeDuration, type Figure } from '../figures/figure.ts';

const goalMs = 50;
const mostCharacters = 2_000_000;
const hostileCharacters = 100_000;

/** The CPU time by which pages are read for what runs, per MB: pages of a git directory (`repo`), and hostile texts of each kind of site. */
export async function benchScanner({ repo }: { repo: string | undefined }): Promise<Figure[]> {
  return [...(repo === undefined ? [] : await measurePages(repo)), ...(await measureHostile())];
}

/** The pages of the newest commit, one by one, grouped by how they are read. */
async function measurePages(repo: string): Promise<Figure[]> {
  const { signal } = new AbortController();
  const repository = { git: createGit({ allowHttp: false }), gitDir: repo, signal };
  const head = await repository.git(['rev-parse', 'HEAD'], { gitDir: repo, signal });
  const base = await readBaseFiles({ ...repository, sha: head.stdout.toString().trim() });
  const { findDialect } = await readLayout(base);
  const texts = await base.readTexts([...base.files.keys()].filter(isProse));
  const pages = Array.from(texts, ([path, text]) => ({ path, text, dialect: findDialect(plainName(path)) }));
  const groups = Map.groupBy(pages, ({ dialect: { syntaxes, templates } }) => [...syntaxes, ...templates].join(', '));
  return [...groups].flatMap(([name, group]) => {
    let left = mostCharacters;
    const chosen = group.filter(({ text }) => {
      left -= text.length;
      return left > 0;
    });
    if (left > 0.9 * mostCharacters) return [];
    const ms = Math.min(...[1, 2, 3].map(() => measure(chosen)));
    return describeDuration(`${chosen.length} pages (${name})`, ms, { goalMs });
  });
}

/** Milliseconds per million characters. */
function measure(pages: readonly PageToRead[]): number {
  const before = process.threadCpuUsage();
  for (const page of pages) scanPage(page);
  const { user, system } = process.threadCpuUsage(before);
  return (user + system) / pages.reduce((sum, { text }) => sum + text.length / 1_000, 0);
}

const pieces = [
  ...['{[{[', '{a=', '{/*', '<a b={', '<a b=', '<a x="', '${', '{{', '{% endraw %}', '<!--', '<div>', '[x](', '!['],
  ...['`', '$', '$$\n', '> ', '- a\n', 'a\n', '|a|\n', '---\n', '```{a}\n', ':::{a}\n', '.. a::\n', 'a::b[', '{: a=b}'],
];
const sites: Record<string, readonly [files: Files, path: string]> = {
  Docusaurus: [{ 'docusaurus.config.js': 'remark-math' }, 'a.mdx'],
  VitePress: [{ '.vitepress/config.ts': 'math: true' }, 'a.md'],
  MkDocs: [{ 'mkdocs.yml': 'plugins: [macros]\nmarkdown_extensions: [extra, pymdownx.superfences]' }, 'a.md'],
  Jekyll: [{ '_config.yml': '' }, 'a.md'],
  Hugo: [{ 'hugo.toml': '' }, 'a.md'],
  MyST: [{ 'conf.py': 'extensions = ["myst_parser"]' }, 'a.md'],
  Sphinx: [{ 'conf.py': '' }, 'a.rst'],
  Antora: [{ 'antora.yml': '' }, 'a.adoc'],
  Quarto: [{ '_quarto.yml': '' }, 'a.qmd'],
};

/** What takes longest among pages of one piece over and over. */
async function measureHostile(): Promise<Figure[]> {
  const figures: Figure[] = [];
  for (const [site, [files, path]] of Object.entries(sites)) {
    const dialect = (await readLayout(createBase(files))).findDialect(path);
    const times = pieces.map((piece) => {
      const text = piece.repeat(hostileCharacters / piece.length);
      return { piece, ms: measure([{ path, text, dialect }]) };
    });
    const slowest = times.reduce((most, each) => (each.ms > most.ms ? each : most));
    figures.push(describeDuration(`hostile, for ${site}: ${JSON.stringify(slowest.piece)}`, slowest.ms));
  }
  return figures;
}
