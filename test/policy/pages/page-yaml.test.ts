import fc from 'fast-check';
import { expect, test } from 'vitest';
import { findRepeatedKey, readYaml } from '../../../src/docs/formats/yaml.ts';
import { readFlatYaml } from '../../../src/policy/pages/readers/page-yaml.ts';

const values = [
  ...[
    'a b',
    "it's",
    'a: b',
    'a #b',
    'a:b',
    '"a: b"',
    "'a: b'",
    '"a\\n"',
    'true',
    'No',
    'null',
    '007',
    '1e3',
    '2026-01-02',
  ],
  ...[
    '',
    '~',
    '/a',
    '.5',
    '!a',
    '&a',
    '*a',
    '[a]',
    '{a: b}',
    '- a',
    '>-',
    'é ✨',
    'a\u00a0',
    'a\u2028b',
    '#',
    '<<',
    "''",
  ],
];
const line = fc
  .tuple(
    fc.constantFrom('a:', 'b-c:', '_d:', '<<:', 'a :', '-', '  -', '   - ', '  a:', '    e:', '#', '---', ''),
    fc.constantFrom(' ', '', '  ', '\t'),
    fc.constantFrom(...values),
    fc.constantFrom('', ' ', '  '),
  )
  .map((parts) => parts.join(''));

test('front matter of names and texts is read as a parser of YAML reads it', () => {
  let flat = 0;
  fc.assert(
    fc.property(fc.array(line, { minLength: 1, maxLength: 5 }), (lines) => {
      const source = lines.join('\n');
      const read = readFlatYaml(source);
      if (read === undefined) return;
      flat += 1;
      const yaml = readYaml(source);
      expect(yaml.fault ?? findRepeatedKey(yaml)).toBeUndefined();
      expect(read).toEqual(yaml.document.toJS());
    }),
    { numRuns: 4_000 },
  );
  expect(flat).toBeGreaterThan(20);
});
