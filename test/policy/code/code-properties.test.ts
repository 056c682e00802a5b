import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createBase, readState } from '../../../harness/memory-files.ts';
import { createPolicy } from '../../../src/policy/policy.ts';
import { tryChange } from '../try-change.ts';
import { type Evaluated, evaluateConfig } from './evaluate-config.ts';
import { replace, type SitePath, sites } from './sites.ts';

const policy = await createPolicy({ base: createBase(sites) });

const findRefusal = (path: SitePath, after: string) =>
  policy.findRefusal({ path, before: readState(sites[path]), after: readState(after) });

/** Where an entry may come, and the key that its text has there. */
const places = [
  { path: 'docs/.vitepress/config.mts', before: "{ text: 'Install', link: 'install' }", key: 'text' },
  { path: 'docs/.vitepress/config.mts', before: "{ text: 'API', collapsed", key: 'text' },
  { path: 'website/docusaurus.config.ts', before: '{ href:', key: 'label' },
  { path: 'website/sidebars.ts', before: "'intro',", key: 'label' },
  { path: 'starlight/astro.config.mjs', before: "'start',", key: 'label' },
  { path: 'next/next.config.mjs', before: "{ source: '/old'", key: 'source' },
  { path: 'next/lib/layout.shared.tsx', before: "{ text: 'Blog'", key: 'text' },
] as const satisfies { path: SitePath; before: string; key: string }[];

const addEntry = ({ path, before }: (typeof places)[number], entry: string) =>
  replace(path, before, `${entry}, ${before}`);

const word = fc.stringMatching(/^[a-z][a-z0-9-]{0,8}$/);
const quoted = fc.oneof(
  word.map((text) => `'${text}'`),
  word.map((text) => `"${text}"`),
  word.map((text) => `\`${text}\``),
);

/** Expressions that are no literal, around or beside one. */
const running = quoted.chain((literal) =>
  fc.constantFrom(
    ...[
      `f(${literal})`,
      `import(${literal})`,
      `require(${literal})`,
      `new F(${literal})`,
      `f?.(${literal})`,
      'import.meta.url',
    ],
    ...[
      `() => ${literal}`,
      `function () { return ${literal} }`,
      `async () => ${literal}`,
      `class { static x = ${literal} }`,
    ],
    ...['process.env.X', 'globalThis', 'undefined', 'NaN', 'this', 'version', 'a?.b', 'a[0]'],
    ...[`\`\${${literal}}\``, `\`\${process.env.X}\``, 'String.raw`x`', 'f`x`'],
    ...[
      `(${literal})`,
      `(0, ${literal})`,
      `${literal} as string`,
      `${literal}!`,
      `${literal} satisfies string`,
      `<any>${literal}`,
    ],
    ...[
      `${literal} + ${literal}`,
      `!${literal}`,
      `void ${literal}`,
      `typeof ${literal}`,
      `x = ${literal}`,
      `${literal} ?? x`,
    ],
    ...[
      `${literal} || x`,
      `true ? ${literal} : x`,
      `await ${literal}`,
      `yield ${literal}`,
      '/x/g',
      '1n',
      '0x10',
      '1e999',
      '-x',
      '+1',
    ],
    ...[
      `[...${literal}]`,
      `[, ${literal}]`,
      `{ ...x }`,
      `{ ['a']: ${literal} }`,
      '<b/>',
      `${literal}.length`,
      `${literal}, ...x`,
    ],
  ),
);

/** Properties that do more than hold a value, or hold it where no entry has one. */
const odd = fc
  .tuple(quoted, word)
  .chain(([literal, name]) =>
    fc.constantFrom(
      ...[
        `get ${name.replaceAll('-', '')}() { return ${literal} }`,
        `set x(y) {}`,
        `x() {}`,
        `async x() {}`,
        `*x() {}`,
        'async *x() {}',
      ],
      ...[`['x']: ${literal}`, `[x]: ${literal}`, 'version', '...x', `...{ x: ${literal} }`],
      ...[
        `__proto__: ${literal}`,
        `"__proto__": { x: ${literal} }`,
        `constructor: ${literal}`,
        `toString: ${literal}`,
        `prototype: ${literal}`,
      ],
      ...[
        `te\\u0078t: ${literal}`,
        `te\\u{78}t: ${literal}`,
        `"\\x74ext": ${literal}`,
        `'\\u{74}ext': ${literal}`,
        `"te\\\nxt": ${literal}`,
      ],
      ...[
        `onClick: ${literal}`,
        `onload: ${literal}`,
        `innerHTML: ${literal}`,
        `dangerouslySetInnerHTML: { __html: ${literal} }`,
      ],
      ...[
        `plugins: [${literal}]`,
        `component: { name: ${literal} }`,
        `head: [[${literal}]]`,
        `vite: { x: ${literal} }`,
      ],
      ...[`1n: ${literal}`, `0x1: ${literal}`, `#x: ${literal}`, `1e3: ${literal}`],
    ),
  );

/** Hides a value in lists and objects. */
const around = fc.constantFrom<(value: string, key: string) => string>(
  (value, key) => `{ ${key}: ${value} }`,
  (value, key) => `{ ${key}: 'x', items: [${value}] }`,
  (value, key) => `{ items: [{ items: [{ ${key}: ${value} }] }] }`,
  (value, key) => `{ ${key}: 'x', /* , */ items: [{ ${key}: 'y' }, ${value}], // }\n }`,
);

test('promise 32: an entry with anything that runs is refused', async () => {
  await fc.assert(
    fc.asyncProperty(fc.constantFrom(...places), running, around, async (place, value, wrap) => {
      expect(await findRefusal(place.path, addEntry(place, wrap(value, place.key)))).toBeDefined();
    }),
    { numRuns: 400 },
  );
});

test('promise 32: an entry with an odd property is refused', async () => {
  await fc.assert(
    fc.asyncProperty(fc.constantFrom(...places), odd, fc.boolean(), async (place, property, isDeep) => {
      const entry = `{ ${place.key}: 'x', ${property} }`;
      expect(await findRefusal(place.path, addEntry(place, isDeep ? `{ items: [${entry}] }` : entry))).toBeDefined();
    }),
    { numRuns: 400 },
  );
});

const harmless = fc.letrec<{ entry: string; value: string }>((tie) => ({
  value: fc.oneof(
    { depthSize: 'small' },
    quoted,
    fc.array(tie('entry'), { maxLength: 3 }).map((items) => `[${items.join(', ')}]`),
  ),
  entry: fc
    .tuple(
      quoted,
      quoted,
      fc.option(fc.array(tie('entry'), { maxLength: 2 })),
      fc.constantFrom('', ' // more\n', ' /* x */ '),
    )
    .map(
      ([label, link, items, comment]) =>
        `{ LABEL: ${label},${comment} "LINK": ${link}${items ? `, items: [${items.join(', ')}]` : ''}, }`,
    ),
})).entry;

/** What may be put anywhere: most of it does not parse there, and some of it runs. */
const snippet = fc.oneof(
  { weight: 6, arbitrary: harmless },
  running,
  odd,
  fc.constantFrom(
    ...[',', ';', '[', ']', '{', '}', '(', ')', '//', '/*', '*/', '`', "'", ':', '...', '=>', 'return ', '\n'],
  ),
);

const evaluated = [
  'docs/.vitepress/config.mts',
  'website/docusaurus.config.ts',
  'website/sidebars.ts',
  'starlight/astro.config.mjs',
  'next/next.config.mjs',
] as const;

/** Inserts a snippet at the edge of a word, perhaps in place of some characters. */
const mutation = fc.record({
  at: fc.nat({ max: 997 }),
  cut: fc.constantFrom(0, 0, 0, 1, 5, 30),
  snippet,
  mayCut: fc.boolean(),
});

/** What an entry calls its text and its link. */
const keys: Record<(typeof evaluated)[number], [label: string, link: string]> = {
  'docs/.vitepress/config.mts': ['text', 'link'],
  'website/docusaurus.config.ts': ['label', 'href'],
  'website/sidebars.ts': ['label', 'href'],
  'starlight/astro.config.mjs': ['label', 'link'],
  'next/next.config.mjs': ['source', 'destination'],
};

type Mutation = { at: number; cut: number; snippet: string; mayCut: boolean };

function mutate(path: (typeof evaluated)[number], text: string, { at, cut, snippet: added, mayCut }: Mutation): string {
  const edges = [...text.matchAll(/(?<=[[{,])|(?=[\]},])/g)].map(({ index }) => index);
  const start = edges[at % edges.length] ?? 0;
  const [label, link] = keys[path];
  const entry = added.replaceAll('LABEL', label).replaceAll('LINK', link);
  const inserted = text[start - 1] === ',' || text[start - 1] === '[' ? `${entry},` : entry;
  return text.slice(0, start) + inserted + text.slice(start + (mayCut ? cut : 0));
}

test('promise 32: whatever is accepted computes the same but for the data of containers', async () => {
  let accepted = 0;
  const bases = new Map<string, Evaluated>();
  for (const path of evaluated) bases.set(path, await evaluateConfig(path, sites[path]));
  await fc.assert(
    fc.asyncProperty(fc.constantFrom(...evaluated), mutation, async (path, change) => {
      const after = mutate(path, sites[path], change);
      if ((await findRefusal(path, after)) !== undefined) return;
      accepted += 1;
      const [old, now] = [bases.get(path), await evaluateConfig(path, after)];
      expect(now.rest).toEqual(old?.rest);
      expect(old?.effects).toEqual(expect.arrayContaining(now.effects));
      expect(old?.code).toEqual(expect.arrayContaining(now.code));
    }),
    { numRuns: 1_500 },
  );
  // Enough of them say something.
  expect(accepted).toBeGreaterThan(30);
});

test('promise 32: two accepted edits are one that is accepted', async () => {
  await fc.assert(
    fc.asyncProperty(fc.constantFrom(...evaluated), mutation, mutation, async (path, first, second) => {
      const between = mutate(path, sites[path], first);
      const after = mutate(path, between, second);
      if ((await findRefusal(path, between)) !== undefined) return;
      if ((await tryChange({ ...sites, [path]: between }, path, after)) !== undefined) return;
      expect(await findRefusal(path, after)).toBeUndefined();
    }),
    { numRuns: 500 },
  );
});
