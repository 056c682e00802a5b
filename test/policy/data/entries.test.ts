import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Data } from '../../../src/docs/formats/data.ts';
import { createEntryCheck, findBadLink, findBadText } from '../../../src/policy/data/entries.ts';

const { entries } = fc.letrec<{ entries: Data; list: Data; map: { [key: string]: Data } }>((tie) => ({
  entries: fc.oneof(
    { depthSize: 'small' },
    fc.constantFrom<Data>('a.md', 'b.md', 'javascript:x', '//host', '<b>', true, 1, null),
    tie('list'),
    tie('map'),
  ),
  list: fc.array(tie('entries'), { maxLength: 4 }),
  map: fc.dictionary(fc.constantFrom('pages', 'group', 'icon', 'onclick', '$ref', 'x'), tie('entries'), { maxKeys: 3 }),
}));

test('promise 32: entries at the same place are skipped only if nothing in them is new', () => {
  const rules = { keys: ['pages', 'group'], values: { group: (value: Data) => value !== true } };
  let differing = 0;
  fc.assert(
    fc.property(entries, entries, fc.boolean(), (before, other, isEdit) => {
      const after = isEdit ? [other, before, before] : other;
      const found = createEntryCheck([before, other], rules)({ pages: after });
      // A list with a list has nothing at the place of a map, so all of it is looked at.
      const whole = createEntryCheck([[before, other]], rules)({ pages: after });
      expect(found).toBe(whole);
      const inPlace = createEntryCheck({ pages: before }, rules)({ pages: after });
      const wholeInPlace = createEntryCheck([{ pages: before }], rules)({ pages: after });
      expect(inPlace).toBe(wholeInPlace);
      if (inPlace !== undefined) differing += 1;
    }),
    { numRuns: 2_000 },
  );
  expect(differing).toBeGreaterThan(100);
});

test.each([
  'Metadata: x',
  'metadata:x',
  'Data: import and export',
  'Learn JavaScript: the basics',
  'The javascript: scheme',
  'Form\ndata: fields',
])('%j is a title', (text) => {
  expect(findBadText(text)).toBeUndefined();
});

test.each([
  'javascript:alert(1)',
  'java\nscript:alert(1)',
  'See [this](javascript:alert(1))',
  '"data:text/html,x"',
  'a VBSCRIPT:x',
  'é·javascript:x',
])('promise 32: the title %j holds code', (text) => {
  expect(findBadText(text)).toContain('holds code');
});

test.each(['javascript:x', 'JavaScript: alert(1)', 'java\nscript: x', ' data: text/html,x', '[a]( vbscript: x)'])(
  'promise 32: the link %j holds code',
  (link) => {
    expect(findBadLink(link)).toContain('holds code');
  },
);

test.each(['metadata', 'data/formats.md', 'javascript', '/javascript:intro', 'https://data.example/javascript:x'])(
  '%j is a link',
  (link) => {
    expect(findBadLink(link)).toBeUndefined();
  },
);
