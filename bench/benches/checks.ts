import { readDocsTrees } from '../../src/cli/read-docs-trees.ts';
import { checkDocumentation } from '../../src/docs/check-change.ts';
import { createDocumentation } from '../../src/docs/documentation.ts';
import { createTree, type FileTree } from '../../src/docs/tree.ts';
import { type Figure, formatMs, median } from '../figures/figure.ts';

const pageCount = 2_000;
const linksPerPage = 10;
const edits = 9;

/**
 * The cost of a question about a large site: of the first one, then after each edit of a page. `repo`: a repository whose newest commit is
 * read in place of a site that is made. In this thread, where it is measured, in processor time.
 */
export async function benchChecks({ repo }: { repo?: string | undefined } = {}): Promise<Figure[]> {
  const rssMb = process.memoryUsage().rss / 1024 ** 2;
  const tree = repo === undefined ? writeTree() : await readHead(repo);
  const documentation = createDocumentation({ base: tree, head: tree });
  const { result: first, cpuMs: whole } = measure(() => checkDocumentation(documentation.with(new Map())));
  if (first.problems.length > 0) throw new Error(`nothing changed, and yet: ${first.problems[0]?.message}`);
  const pages = documentation.with(new Map()).base.sites.flatMap((site) => [...site.pages.keys()]);
  const edited = Array.from({ length: edits }, (_, index) => {
    const path = pages[Math.floor(((index + 0.5) * pages.length) / edits)] ?? '';
    const changes = new Map([[path, `${tree.read(path)}\nMore, for the ${index}th time.\n`]]);
    return measure(() => checkDocumentation(documentation.with(new Map(changes)))).cpuMs;
  });
  const usedMb = process.resourceUsage().maxRSS / 1024 - rssMb;
  // Each one more than before, as in a run. The edits are made again, so that none of them is undone.
  const changes = new Map<string, string | null>();
  const set = Array.from({ length: edits }, (_, index) => {
    const path = pages[Math.floor(((index + 0.5) * pages.length) / edits)] ?? '';
    const text = tree.read(path) ?? '';
    if (index % 3 === 0) changes.set(path.replace(/(\.\w+)$/, `-more-${index}$1`), text);
    else changes.set(path, null);
    if (index % 3 === 2) changes.set(path.replace(/(\.\w+)$/, `-moved-${index}$1`), text);
    return measure(() => checkDocumentation(documentation.with(new Map(changes)))).cpuMs;
  });
  const count = (number: number) => number.toLocaleString('en');
  return [
    describe(`${count(pages.length)} pages with ${count(first.checkedLinks)} links, read and checked`, [whole], 2_000),
    describe('again after an edit of one page', edited, 150),
    describe('again after one page was added, deleted or moved', set, 150),
    {
      what: 'memory for both, where no other bench ran before',
      measured: `${usedMb.toFixed(0)} MB`,
      goal: { text: '≤ 250 MB', isMet: usedMb <= 250 },
    },
  ];
}

async function readHead(repo: string): Promise<FileTree> {
  const { signal } = new AbortController();
  return (await readDocsTrees({ base: 'HEAD', head: 'HEAD', repo, signal })).head;
}

function measure<Result>(work: () => Result): { result: Result; cpuMs: number } {
  const startedAt = process.cpuUsage();
  const result = work();
  const { user, system } = process.cpuUsage(startedAt);
  return { result, cpuMs: (user + system) / 1_000 };
}

function describe(what: string, times: readonly number[], goalMs: number): Figure {
  const cpuMs = median(times);
  const most = times.length > 1 ? `, at most ${formatMs(Math.max(...times))}` : '';
  return {
    what,
    measured: `${formatMs(cpuMs)} of a processor${most}`,
    goal: { text: `≤ ${goalMs} ms`, isMet: cpuMs <= goalMs },
  };
}

const pathOf = (index: number) => `guides/section-${index % 50}/page-${index}.mdx`;

const addressOf = (index: number) => `/${pathOf(index).replace('.mdx', '')}`;

/** A Mintlify site: MDX, root-relative links with anchors, components, code. */
function writeTree(): FileTree {
  const pages = Array.from({ length: pageCount }, (_, index) => [pathOf(index), writePage(index)] as const);
  const navigation = { groups: [{ group: 'Guides', pages: pages.map(([path]) => path.replace('.mdx', '')) }] };
  const files = new Map([['docs.json', JSON.stringify({ navigation }, null, 2)], ...pages]);
  return createTree({ paths: new Set(files.keys()), read: (path) => files.get(path) });
}

function writePage(index: number): string {
  const links = Array.from({ length: linksPerPage }, (_, link) => addressOf((index * 7 + link * 131) % pageCount));
  const sections = links.map((address, link) =>
    [
      `## Section ${link} of page ${index}`,
      `Read [the other page](${address}#section-${link}-of-page-${address.split('-').at(-1)}) before you go on with \`step ${link}\`.`,
      `Some **words** about what happens, with a list:\n\n- the first item, which is *long* enough to fill a line\n- the second one`,
      `<Note>\n  A note about section ${link}: see the <Tooltip tip="word">word</Tooltip> list.\n</Note>`,
      '```js title.js\nconst value = { a: [1, 2, 3] };\nconsole.log(value.a);\n```',
    ].join('\n\n'),
  );
  return `---\ntitle: "Page ${index}"\ndescription: "What page ${index} is about"\n---\n\n${sections.join('\n\n')}\n`;
}
