import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type Data, isMap } from '../../../src/docs/formats/data.ts';
import type { DataFile } from '../../../src/docs/frameworks/edits/data-files.ts';
import { redirectRules } from '../../../src/docs/frameworks/edits/rules.ts';
import { createTomlComparison } from '../../../src/policy/data/compare-text.ts';
import { createYamlComparison } from '../../../src/policy/data/compare-yaml.ts';
import { parseToml } from '../../../src/policy/data/parse-data.ts';
import { createTableReader } from '../../../src/policy/data/toml-tables.ts';
import { layOutYaml } from '../../../src/policy/data/yaml-layout.ts';

interface Edit {
  at: number;
  removed: number;
  added: string[];
  isOpenEnd: boolean;
}

/** Up to three lines removed, and up to four put in their place. */
const editOf = (lines: fc.Arbitrary<string>): fc.Arbitrary<Edit> =>
  fc.record({ at: fc.nat(40), removed: fc.nat(3), added: fc.array(lines, { maxLength: 4 }), isOpenEnd: fc.boolean() });

function apply(text: string, { at, removed, added, isOpenEnd }: Edit): string {
  const lines = text.split('\n').slice(0, -1);
  lines.splice(at % (lines.length + 1), removed, ...added);
  return `${lines.join('\n')}${isOpenEnd ? '' : '\n'}`;
}

const goodYaml = [
  '  - index.md',
  '  - Guide: guide.md',
  '  - More:\n      - a.md\n      - B: b.md',
  '  # a comment',
  '',
];
const yamlLines = fc.constantFrom(
  ...goodYaml,
  ...goodYaml,
  ...['    - shallow.md', '- flush.md', '   ', '  - &a x.md', '  - *a', '  - !!str y', '  - {a: b}', '  - [a, b]'],
  ...[
    '  - "a: b"',
    '  -',
    '\t- tab.md',
    '  - a:\n      b: c\n      <<: d',
    '  key: value',
    'key: value',
    '  - |',
    '      text',
  ],
  ...['  - javascript:alert(1)', '...', '---', '      - deep.md', '  - <script>x</script>'],
);
const yamlBase = fc
  .record({
    head: fc.constantFrom('site_name: x\nnav:\n', 'nav: # pages\n', 'nav:\n  - first.md\n'),
    lines: fc.array(yamlLines, { maxLength: 8 }),
    end: fc.constantFrom('', 'plugins:\n  - search\n'),
  })
  .map(({ head, lines, end }) => `${head}${lines.map((line) => `${line}\n`).join('')}${end}`);
const mkdocs: DataFile = { format: 'yaml', what: 'nav', containers: [{ at: ['nav'], keys: 'any' }] };

test('promise 32: an edit of YAML is judged by its entries alone as by the whole file', async () => {
  let accepted = 0;
  await fc.assert(
    fc.asyncProperty(yamlBase, editOf(yamlLines), async (base, edit) => {
      const layOut = async (input: Parameters<typeof layOutYaml>[0]) => layOutYaml(input);
      const after = apply(base, edit);
      const byWindow = (await createYamlComparison(base, mkdocs, layOut))(after);
      const byWhole = (await createYamlComparison(base, mkdocs, layOut, () => undefined))(after);
      if (byWindow === undefined && after !== base) accepted += 1;
      expect(byWindow).toBe(byWhole);
    }),
    { numRuns: 2_000 },
  );
  expect(accepted).toBeGreaterThan(50);
});

const goodToml = ['[[redirects]]\nfrom = "/a"\nto = "/b"', '[[redirects]]\nfrom = "/c"', '[build]', '# comment', ''];
const tomlLines = fc.constantFrom(
  ...goodToml,
  ...goodToml,
  ...[
    '[[redirects]]',
    '[build.x]',
    '[[menus.main]]',
    '[[menus.main]]\nname = "x"',
    '[redirects.query]',
    '[[redirects.more]]',
  ],
  ...[
    '[1]',
    '[[1]]',
    '[ redirects ]',
    '[[ redirects ]]',
    ' [[redirects]]',
    '[[redirects]] # more',
    '[true]',
    '[menus]',
  ],
  ...['from = "/d"', 'status = 301', 'redirects = 1', 'list = [', ']', '1,', '[1],', 'text = """', '"""', "text = '''"],
  ...[
    "'''",
    'key = "[[redirects]]"',
    '"quoted" = 1',
    'a = { b = 1 }',
    'x = "\u2028',
    'menus.x = 1',
    'to = "javascript:x"',
  ],
);
const tomlBase = fc
  .array(tomlLines, { maxLength: 8 })
  .map((lines) => lines.map((line) => `${line}\n`).join(''))
  .filter((text) => parseToml(text) !== undefined);

test('promise 32: tables that are read alone are what the whole file has in their place', () => {
  let read = 0;
  fc.assert(
    fc.property(tomlBase, editOf(tomlLines), (base, edit) => {
      const after = apply(base, edit);
      const old = parseToml(base) ?? null;
      const tables = createTableReader(base, old)(after);
      if (tables === undefined) return;
      read += 1;
      const whole = parseToml(after);
      for (const path of arrays) {
        const [before, now, news] = [findArray(old, path), findArray(whole, path), findArray(tables.added, path)];
        expect(isSpliced({ before, now, news })).toBe(true);
      }
      expect(withoutArrays(whole)).toEqual(withoutArrays(old));
    }),
    { numRuns: 2_000 },
  );
  expect(read).toBeGreaterThan(10);
});

const table = '[[redirects]]\nfrom = "/b"\n';
test.each<[string, string, string]>([
  ['a list written in another way', 'redirects = [{ from = "/a" }]\n', ''],
  ['a list on several lines', 'redirects = [\n', '{ from = "/a" }\n]\n'],
  ['a table that would move to the new one', '[[redirects]]\nfrom = "/a"\n', '[redirects.query]\nx = 1\n'],
  ['a long string', 'text = """\n', '[build]\n"""\n'],
  ['a header in an array', 'list = [\n', '[1]\n]\n'],
])('promise 32: tables are not read alone beside %s', (_, start, end) => {
  const old = parseToml(start + end);
  expect(old).toBeDefined();
  expect(createTableReader(start + end, old ?? null)(`${start}${table}${end}`)).toBeUndefined();
  const plain = '[[redirects]]\nfrom = "/a"\n';
  expect(createTableReader(plain, parseToml(plain) ?? null)(plain + table)).toBeDefined();
});

test('promise 32: an edit of TOML is judged alike with and without the tables around it', async () => {
  const netlify: DataFile = { format: 'toml', what: 'x', containers: [{ ...redirectRules, at: ['redirects'] }] };
  const parse = async (text: string) => parseToml(text);
  await fc.assert(
    fc.asyncProperty(tomlBase, editOf(tomlLines), async (base, edit) => {
      const after = apply(base, edit);
      const found = await (await createTomlComparison(base, netlify, parse))(after);
      // The mark of long strings keeps tables from being read alone.
      const whole = await (await createTomlComparison(`# """\n${base}`, netlify, parse))(`# """\n${after}`);
      expect(found).toBe(whole);
    }),
    { numRuns: 2_000 },
  );
});

type Items = readonly Data[];
const arrays = ['redirects', 'redirects.more', 'menus.main'];

function findArray(root: Data | undefined, path: string): Items {
  const found = path.split('.').reduce((value, key) => (isMap(value) ? value[key] : undefined), root);
  return Array.isArray(found) ? found : [];
}

/** `now` is `before` with `news` in the place of some of its items. */
function isSpliced({ before, now, news }: { before: Items; now: Items; news: Items }): boolean {
  const kept = now.length - news.length;
  return Array.from({ length: kept + 1 }, (_, at) => at).some(
    (at) =>
      areSame(now.slice(0, at), before.slice(0, at)) &&
      areSame(now.slice(at, at + news.length), news) &&
      areSame(now.slice(at + news.length), before.slice(before.length - (kept - at))),
  );
}

const areSame = (one: unknown, other: unknown): boolean => JSON.stringify(one) === JSON.stringify(other);

/** Without the arrays, and tables that hold nothing else. */
const withoutArrays = (root: Data | undefined): unknown =>
  arrays.reduce<Data | undefined>((rest, path) => cut(rest, path.split('.')), root);

function cut(value: Data | undefined, [key = '', ...rest]: readonly string[]): Data | undefined {
  if (!isMap(value) || value[key] === undefined) return value;
  const { [key]: child, ...others } = value;
  const left = rest.length === 0 && Array.isArray(child) ? {} : cut(child, rest);
  return isMap(left) && Object.keys(left).length === 0 ? others : { ...others, [key]: left ?? null };
}
