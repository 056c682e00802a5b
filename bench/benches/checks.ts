import { checkDocumentation } from '../../src/docs/check-change.ts';
import { createDocumentation } from '../../src/docs/documentation.ts';
import { createTree } from '../../src/docs/tree.ts';
import { type Figure, formatMs, median } from '../figures/figure.ts';

const pageCount = 1_500;
const linksPerPage = 10;
const edits = 9;

/** The cost of a question about a large site: of the first one, then after each edit of a page. In this thread, where it is measured. */
export async function benchChecks(): Promise<Figure[]> {
  const files = writeSite();
  const tree = createTree({ paths: new Set(files.keys()), read: (path) => files.get(path) });
  const before = process.memoryUsage();
  const whole = startClock();
  const documentation = createDocumentation({ base: tree, head: tree });
  const { problems } = checkDocumentation(documentation.with(new Map()));
  const read = whole();
  if (problems.length > 0) throw new Error(`the site is not sound: ${problems[0]?.message}`);
  const edited = Array.from({ length: edits }, (_, index) => {
    const path = pathOf(index * 100);
    const clock = startClock();
    checkDocumentation(documentation.with(new Map([[path, `${files.get(path)}\nMore, for the ${index}th time.\n`]])));
    return clock();
  });
  const usedMb = (process.memoryUsage().rss - before.rss) / 1024 ** 2;
  return [
    describe(`${pageCount} pages with ${pageCount * linksPerPage} links, read and checked`, [read], 2_500),
    describe('again after an edit of one page', edited, 200),
    {
      what: 'memory for both',
      measured: `${usedMb.toFixed(0)} MB`,
      goal: { text: '≤ 300 MB', isMet: usedMb <= 300 },
    },
  ];
}

interface Time {
  ms: number;
  cpuMs: number;
}

function startClock(): () => Time {
  const [startedAt, cpu] = [performance.now(), process.cpuUsage()];
  return () => {
    const { user, system } = process.cpuUsage(cpu);
    return { ms: performance.now() - startedAt, cpuMs: (user + system) / 1_000 };
  };
}

/** On a busy machine the processor time is more precise. */
function describe(what: string, times: readonly Time[], goalMs: number): Figure {
  const ms = median(times.map((time) => time.ms));
  const cpuMs = median(times.map((time) => time.cpuMs));
  return {
    what,
    measured: `${formatMs(ms)} (processor ${formatMs(cpuMs)})`,
    goal: { text: `≤ ${goalMs} ms`, isMet: ms <= goalMs },
  };
}

const pathOf = (index: number) => `guides/section-${index % 50}/page-${index}.mdx`;

const addressOf = (index: number) => `/${pathOf(index).replace('.mdx', '')}`;

/** A Mintlify site: MDX, root-relative links with anchors, components, code. */
function writeSite(): Map<string, string> {
  const pages = Array.from({ length: pageCount }, (_, index) => [pathOf(index), writePage(index)] as const);
  const navigation = { groups: [{ group: 'Guides', pages: pages.map(([path]) => path.replace('.mdx', '')) }] };
  return new Map([['docs.json', JSON.stringify({ navigation }, null, 2)], ...pages]);
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
