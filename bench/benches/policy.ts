import { setImmediate as yieldToEventLoop } from 'node:timers/promises';
import type { BaseFiles } from '../../src/policy/base-files.ts';
import type { FileState } from '../../src/policy/change.ts';
import { createForeignReaders } from '../../src/policy/judge/foreign-readers.ts';
import { createPolicy } from '../../src/policy/policy.ts';
import { createThreads } from '../../src/threads/threads.ts';
import { blobSha } from '../../src/workspace/write-set.ts';
import { describeLatencies, type Figure } from '../figures/figure.ts';

const editCount = 200;
const fileBytes = 200_000;

/** Grows a text, entry by entry, to the largest size that the goal names. */
function grow(start: string, entry: (index: number) => string, end: string, bytes = fileBytes): string {
  let text = start;
  for (let index = 0; text.length + end.length < bytes; index += 1) text += entry(index);
  return text + end;
}

const sidebar = (index: number) =>
  `  { text: 'Section ${index}', items: [{ text: 'Page', link: '/guides/${index}' }, { text: 'More', link: '/more/${index}' }] },\n`;
const nav = (index: number) =>
  `  - Section ${index}:\n      - Page ${index}: guides/${index}/page.md\n      - guides/${index}/more.md\n`;
const redirect = (index: number) => `    { "source": "/old/${index}", "destination": "/new/${index}" },\n`;

const section = (index: number) =>
  `## Section ${index}\n\nSee [the guide](/guides/${index}) and \`code\` for **details** of step ${index}.\n\n- one\n- another\n\n\`\`\`sh\nnpm run task-${index}\n\`\`\`\n\n`;
const page = {
  text: grow('---\ntitle: Page\n---\n\n', section, '', 20_000),
  edit: (text: string, index: number) => text.replace(`details** of step ${index}.`, `details** of the step ${index}.`),
  edits: 40,
};

/** A file of 200 kB, and an edit of it. */
const files: Record<string, { text: string; edit: (text: string, index: number) => string; edits?: number }> = {
  'mkdocs.yml': {
    text: grow('site_name: Docs\nnav:\n', nav, 'plugins:\n  - search\n'),
    edit: (text, index) => text.replace(`  - Section ${index}:\n`, (line) => `  - New: new/${index}.md\n${line}`),
  },
  'docs.json': {
    text: grow('{\n  "redirects": [\n', redirect, '    { "source": "/a", "destination": "/b" }\n  ]\n}\n'),
    edit: (text, index) => text.replace(`"/new/${index}"`, `"/newer/${index}"`),
  },
  'netlify.toml': {
    text: grow(
      '[build]\npublish = "site"\n',
      (index) => `[[redirects]]\nfrom = "/old/${index}"\nto = "/new/${index}"\n\n`,
      '',
    ),
    edit: (text, index) => text.replace(`"/new/${index}"`, `"/newer/${index}"`),
  },
  '.vitepress/config.ts': {
    text: grow("import { plugin } from 'x'\nexport default { themeConfig: { sidebar: [\n", sidebar, '] } }\n'),
    edit: (text, index) =>
      text.replace(`  { text: 'Section ${index}'`, (line) => `  { text: 'New', link: '/new' },\n${line}`),
  },
  'page.md': page,
  'page.mdx': page,
};
/** How long the guards hold the event loop for one edit, as time of its thread. What parses runs in a thread. */
export async function benchPolicy(): Promise<Figure[]> {
  const states = new Map(Object.entries(files).map(([path, { text }]) => [path, describe(text)]));
  const base: BaseFiles = {
    files: states,
    findPages: async () => [],
    findOthers: async () => [],
    listIncludes: async () => [],
    readTexts: async (paths) => new Map(Array.from(paths, (path) => [path, files[path]?.text ?? ''])),
  };
  await using cleanup = new AsyncDisposableStack();
  const threads = createThreads();
  cleanup.defer(threads.close);
  const signal = new AbortController().signal;
  const rules = { readers: createForeignReaders((task, input) => threads.run(task, input, { signal })) };
  const policy = await createPolicy({ base, rules });
  const figures: Figure[] = [];
  for (const [path, { text, edit, edits = editCount }] of Object.entries(files)) {
    const before = states.get(path) ?? null;
    const latencies: number[] = [];
    const durations: number[] = [];
    for (let index = 0; index < edits; index += 1) {
      const after = describe(edit(text, index));
      const usedBefore = process.threadCpuUsage();
      const start = performance.now();
      requireNone(await policy.findRefusal({ path, before, after }));
      const { user, system } = process.threadCpuUsage(usedBefore);
      latencies.push((user + system) / 1000);
      durations.push(performance.now() - start);
      await yieldToEventLoop();
    }
    const [first = 0, ...others] = latencies;
    figures.push(
      describeLatencies(`edit of ${path}, ${Math.round(text.length / 1_000)} kB`, others, { share: 0.99, goalMs: 5 }),
    );
    figures.push(describeLatencies(`first edit of ${path}`, [first]));
    figures.push(describeLatencies(`edit of ${path}, with its thread`, durations.slice(1), { share: 0.99 }));
    // As before the run publishes.
    const again = await createPolicy({ base, rules });
    const start = performance.now();
    requireNone(await again.findRefusal({ path, before, after: describe(edit(text, edits - 1)) }));
    figures.push(describeLatencies(`the same ${path} once more`, [performance.now() - start]));
  }
  return figures;
}

function describe(text: string): FileState {
  const bytes = Buffer.from(text);
  return { text, bytes: bytes.length, sha: blobSha(bytes, ''), isExecutable: false };
}

function requireNone(refusal: string | undefined): void {
  if (refusal !== undefined) throw new Error(`an edit of the bench was refused: ${refusal}`);
}
