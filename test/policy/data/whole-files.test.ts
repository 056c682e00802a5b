import fc from 'fast-check';
import { parse } from 'toml';
import { expect, test } from 'vitest';
import { parseDocument } from 'yaml';
import type { DataFile } from '../../../src/docs/frameworks/edits/data-files.ts';
import { dataFiles } from '../../../src/docs/frameworks/frameworks.ts';
import { compareData } from '../../../src/policy/data/compare-data.ts';

// Whatever an edit does at the border of an entry: what is accepted leaves the rest of the file as another parser reads it.

const fileOf = (isWanted: (file: DataFile) => boolean) => dataFiles.findIndex(isWanted);
const mkdocs = fileOf(({ path }) => path?.test('mkdocs.yml') ?? false);
const netlify = fileOf(({ path }) => path?.test('netlify.toml') ?? false);
const mintlify = fileOf(({ path }) => path?.test('docs.json') ?? false);

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

/** Counts what was accepted: a property that accepts nothing shows nothing. */
function countAccepted(
  texts: { base: fc.Arbitrary<string>; edit: fc.Arbitrary<Edit>; file: number },
  readRest: (text: string) => unknown,
): number {
  let accepted = 0;
  fc.assert(
    fc.property(texts.base, texts.edit, (before, edit) => {
      const after = apply(before, edit);
      if (compareData({ file: texts.file, before, after }) !== undefined) return;
      if (after !== before) accepted += 1;
      expect(readRest(after)).toEqual(readRest(before));
    }),
    { numRuns: 2_000 },
  );
  return accepted;
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
  ...['  - "a: b"', '  -', '\t- tab.md', '  - a:\n      b: c\n      <<: d', '  key: value', 'key: value', '  - |'],
  ...['      text', '  - javascript:alert(1)', '...', '---', '      - deep.md', '  - <script>x</script>'],
);
/** A merge key that merges nothing is a fault of version 1.1. */
function toValue(text: string, version: '1.1' | '1.2'): Record<string, unknown> {
  try {
    return parseDocument(text, { version, uniqueKeys: false, logLevel: 'silent' }).toJS() ?? {};
  } catch {
    return { isFaulty: true };
  }
}

const yamlBase = fc
  .record({
    head: fc.constantFrom('site_name: x\nnav:\n', 'nav: # pages\n', 'nav:\n  - first.md\n'),
    lines: fc.array(yamlLines, { maxLength: 8 }),
    end: fc.constantFrom('', 'plugins:\n  - search\n'),
  })
  .map(({ head, lines, end }) => `${head}${lines.map((line) => `${line}\n`).join('')}${end}`)
  .filter((text) => !('isFaulty' in toValue(text, '1.1')));

test('promise 32: an edit of YAML that is accepted leaves all other keys as they were, in both versions of YAML', () => {
  const readRest = (text: string) =>
    (['1.1', '1.2'] as const).map((version) => {
      const { nav: _, not_in_nav: __, exclude_docs: ___, ...rest } = toValue(text, version);
      return rest;
    });
  expect(countAccepted({ base: yamlBase, edit: editOf(yamlLines), file: mkdocs }, readRest)).toBeGreaterThan(50);
});

const goodToml = ['[[redirects]]\nfrom = "/a"\nto = "/b"', '[[redirects]]\nfrom = "/c"', '[build]', '# comment', ''];
const tomlLines = fc.constantFrom(
  ...goodToml,
  ...goodToml,
  ...['[[redirects]]', '[build.x]', '[[menus.main]]', '[[menus.main]]\nname = "x"', '[redirects.query]'],
  ...[
    '[[redirects.more]]',
    '[1]',
    '[[1]]',
    '[ redirects ]',
    '[[ redirects ]]',
    ' [[redirects]]',
    '[[redirects]] # more',
  ],
  ...['[true]', '[menus]', 'from = "/d"', 'status = 301', 'redirects = 1', 'list = [', ']', '1,', '[1],', 'text = """'],
  ...[
    '"""',
    "text = '''",
    "'''",
    'key = "[[redirects]]"',
    '"quoted" = 1',
    'a = { b = 1 }',
    'menus.x = 1',
    'to = "javascript:x"',
  ],
);
const tomlBase = fc
  .array(tomlLines, { maxLength: 8 })
  .map((lines) => lines.map((line) => `${line}\n`).join(''))
  .filter((text) => tryParse(text) !== undefined);

function tryParse(text: string): Record<string, unknown> | undefined {
  try {
    return parse(text);
  } catch {
    return undefined;
  }
}

test('promise 32: an edit of TOML that is accepted leaves all other tables as they were', () => {
  const readRest = (text: string) => {
    const { redirects: _, ...rest } = tryParse(text) ?? { none: true };
    return rest;
  };
  expect(countAccepted({ base: tomlBase, edit: editOf(tomlLines), file: netlify }, readRest)).toBeGreaterThan(20);
});

const jsonLines = fc.constantFrom(
  ...[
    '"a",',
    '"b"',
    '{ "group": "G", "pages": ["x"] },',
    '],',
    ']',
    '},',
    '}',
    '"name": "x",',
    '"pages": [',
    '"redirects": [',
  ],
  ...[
    '"navigation": {',
    '{ "source": "/a", "destination": "/b" },',
    '"href": "javascript:x",',
    '/* x */',
    '\uFEFF',
    '\\',
  ],
);
const jsonBase = fc
  .record({ pages: fc.array(fc.constantFrom('a', 'b', 'x"], ['), { maxLength: 4 }), name: fc.string() })
  .map(
    ({ pages, name }) => `${JSON.stringify({ name, navigation: { pages }, redirects: [], api: { pages } }, null, 2)}\n`,
  );

test('promise 32: an edit of JSON that is accepted leaves all other members as they were', () => {
  const readRest = (text: string) => {
    const { navigation: _, redirects: __, tabs: ___, anchors: ____, versions: _____, ...rest } = JSON.parse(text);
    return rest;
  };
  expect(countAccepted({ base: jsonBase, edit: editOf(jsonLines), file: mintlify }, readRest)).toBeGreaterThan(20);
});
