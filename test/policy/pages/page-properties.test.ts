import { compile } from '@mdx-js/mdx';
import { parse } from 'acorn';
import type { Node, Program } from 'estree-jsx';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createForeignReaders } from '../../../src/policy/judge/foreign-readers.ts';
import { scanPage } from '../../../src/policy/pages/scan-page.ts';
import { createThreads } from '../../../src/threads/threads.ts';

const plain = {
  syntaxes: ['markdown'],
  vue: false,
  braces: false,
  mdc: false,
  templates: [],
  components: [],
  math: undefined,
  markdown: ['commonmark'],
  copiesFiles: false,
  marks: [],
  isUnknown: false,
  cells: undefined,
  layouts: [],
  titlesCode: false,
} as const;

const dialects = {
  mdx: { ...plain, syntaxes: ['mdx'], components: ['Card'] },
  markdown: plain,
} as const;

const read = (text: string, dialect: keyof typeof dialects = 'mdx') =>
  scanPage({ text, path: 'a.mdx', dialect: dialects[dialect] });

/** Pieces of live code, and of what surrounds it. */
const piece = fc.constantFrom(
  ...`{process.env.X} {fetch("/x")} <script> </script> <img onerror=alert(1)> [x](javascript:alert(1)) <iframe src="https://evil.example"/>
  import·x·from·"y" export·default·x <Card·title={x}> </Card> {/* {' '} {"text"} {1} <Unknown/> --> <!-- {{x}} {%x%} ~~~ text : = > - # | * \\{ \\< \n
  \n\n {\`\${x}\`} {String.raw\`x\`} <Card·a={[1,{b:"c"}]}/> export·const·a="b" {a} <b·onClick={f}> </b> {<Card·c={d}/>} {eval} {props.x} {...y}`
    .split(' ')
    .map((word) => word.replaceAll('·', ' ').replaceAll('\\n', '\n')),
);
const page = fc.array(piece, { maxLength: 12 }).map((pieces) => pieces.join(' '));
const separated = fc.array(piece, { maxLength: 8 }).map((pieces) => pieces.join('\n\n'));
const code = fc.oneof(page, separated).map((text) => text.replaceAll('\r', ''));

test.each(['mdx', 'markdown'] as const)('live code in a code block of %s is not live', (dialect) => {
  fc.assert(
    fc.property(code, fc.constantFrom('', 'js', 'mdx title="x"'), (text, info) => {
      expect(read(`Text\n\n~~~~~~${info}\n${text}\n~~~~~~\n\nText\n`, dialect).code).toEqual([]);
    }),
  );
});

test.each(['mdx', 'markdown'] as const)('live code in inline code of %s is not live', (dialect) => {
  fc.assert(
    fc.property(code, (text) => {
      const line = text.replace(/[\n|]+/g, ' ').replaceAll('`', "'");
      expect(read(`Text \`\` ${line} \`\` text\n`, dialect).code).toEqual([]);
    }),
  );
});

/** What a module that MDX makes of text and literals may name: its own parts, what it gets, and what this page declares. */
const named = new Set(
  '_jsx _jsxs _Fragment _createMdxContent MDXContent props _components MDXLayout Object undefined'.split(' '),
);
const given = new Set(['Card', 'String', '_missingMdxReference', 'Error', 'id', 'component', 'a']);

test('promise 19: a page of MDX without code compiles to a module that names nothing but its components', async () => {
  let compiled = 0;
  await fc.assert(
    fc.asyncProperty(code, async (text) => {
      const { code: found } = read(text);
      if (found.length > 0) return;
      const program = await compileMdx(text);
      if (program === undefined) return;
      compiled += 1;
      const names = listNames(program).filter((name) => !named.has(name) && !given.has(name));
      expect(names).toEqual([]);
    }),
    { numRuns: 200 },
  );
  expect(compiled).toBeGreaterThan(10);
});

/** Undefined: it does not compile, or declares a name twice. */
const compileMdx = (text: string) =>
  compile(text, { jsxImportSource: 'react' })
    .then((module) => parse(String(module), { ecmaVersion: 'latest', sourceType: 'module' }))
    .catch(() => undefined);

/** Every name that is read or called: not the key of a property, nor a member after a dot. */
function listNames(root: object): string[] {
  const names: string[] = [];
  const open: unknown[] = [root];
  for (let node = open.pop(); open.length > 0 || node !== undefined; node = open.pop()) {
    if (!isNode(node)) continue;
    if (node.type === 'Identifier') names.push(node.name);
    if (node.type === 'ImportDeclaration') {
      if (node.source.value !== 'react/jsx-runtime') names.push(`import of ${String(node.source.value)}`);
      continue;
    }
    for (const [key, value] of Object.entries(node)) {
      const isName = (key === 'key' || key === 'property') && 'computed' in node && !node.computed;
      if (!isName) open.push(...(Array.isArray(value) ? value : [value]));
    }
  }
  return names;
}

const isNode = (value: unknown): value is Node | Program =>
  typeof value === 'object' && value !== null && 'type' in value;

test('promise 7: any page is read in a thread as it is inline', async () => {
  const threads = createThreads();
  const text = `${'Some text. '.repeat(1_000)}\n\n{process.env.SECRET}\n\n<Unknown />`;
  const input = { text, path: 'a.mdx', dialect: dialects.mdx };
  const signal = AbortSignal.timeout(30_000);
  const readers = createForeignReaders((task, page) => threads.run(task, page, { signal }));
  const found = await readers.readPage(input);
  await threads.close();
  expect(found).toEqual(scanPage(input));
});

test.each([
  ['tags in values of tags', '<a b={', 60_000, { vue: true }],
  ['lines of one paragraph for mdsvex', 'a\n', 60_000, { markdown: ['unindented'] }],
  ['brackets of MDX', '{[{[', 600_000, { syntaxes: ['mdx'] }],
  ['open comments of MDX', '{/*', 1_200_000, { syntaxes: ['mdx'] }],
] as const)('promise 7: %s take time by their length', (_name, piece, length, dialect) => {
  const text = piece.repeat(length / piece.length);
  const before = process.threadCpuUsage();
  scanPage({ text, path: 'a.md', dialect: { ...plain, ...dialect } });
  const { user, system } = process.threadCpuUsage(before);
  expect((user + system) / 1_000).toBeLessThan(1_500);
});

test('promise 7: no page keeps its reader for longer than the time limit', async () => {
  const threads = createThreads({ timing: { taskTimeoutMs: 1_000, idleMs: 10 } });
  const signal = AbortSignal.timeout(60_000);
  const readers = createForeignReaders((task, page) => threads.run(task, page, { signal }));
  const opened = ['>', '<div>', '{ a="', '<script ', '{% ', '<a b="'];
  for (const text of opened.map((opening) => opening.repeat(20_000 / opening.length))) {
    const dialect = { ...dialects.markdown, vue: true, templates: ['liquid', 'gitbook', 'snippets'] } as const;
    const reading = readers.readPage({ text, path: 'a.md', dialect });
    const end = await reading.then(
      () => 'read',
      (error: Error) => error.name,
    );
    expect(['read', 'ThreadTimeout']).toContain(end);
  }
  await threads.close();
});
