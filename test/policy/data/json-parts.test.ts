import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Data } from '../../../src/docs/formats/data.ts';
import type { DataFile } from '../../../src/docs/frameworks/edits/data-files.ts';
import { createJsonComparison } from '../../../src/policy/data/compare-text.ts';
import { createValueComparison } from '../../../src/policy/data/compare-values.ts';
import { createPartReader } from '../../../src/policy/data/json-parts.ts';
import { parseJson } from '../../../src/policy/data/parse-data.ts';

const file: DataFile = {
  format: 'json',
  what: 'its navigation',
  containers: [
    { at: ['navigation'], keys: ['pages', 'group'] },
    { at: ['api', 'list'], keys: ['pages', 'href'] },
  ],
};
const { value } = fc.letrec<{ value: Data }>((tie) => ({
  value: fc.oneof(
    { depthSize: 'small' },
    fc.constantFrom<Data>('a', 'b', 'x"], [', 'javascript:x', '\\', '{', true, 1, null),
    fc.array(tie('value'), { maxLength: 4 }),
    fc.dictionary(fc.constantFrom('pages', 'group', 'name', 'a"b', 'list'), tie('value'), { maxKeys: 3 }),
  ),
}));
const base = fc
  .record({
    navigation: fc.record({ pages: fc.array(value, { maxLength: 5 }) }),
    api: fc.record({ list: value, other: value }),
    indent: fc.nat(2),
  })
  .map(({ indent, ...root }) => JSON.stringify(root, null, indent));
/** A value between two commas, or any characters, put somewhere in place of some. */
const edit = fc.record({
  at: fc.nat(1_000),
  removed: fc.oneof(fc.constant(0), fc.nat(30)),
  added: fc.oneof(
    value.map((one) => JSON.stringify(one)),
    value.map((one) => `${JSON.stringify(one)},`),
    value.map((one) => `,${JSON.stringify(one)}`),
    fc.constantFrom('', '"', ',', ']', '[', '}', '{', '"pages":', '\\', ' ', '"a"', '"name": 1, ', '\uFEFF', '/**/'),
  ),
  isAtBreak: fc.boolean(),
});

function apply(text: string, { at, removed, added, isAtBreak }: typeof edit extends fc.Arbitrary<infer T> ? T : never) {
  const places = isAtBreak
    ? [...text.matchAll(/[,[\]{}:]/g)].map(({ index }) => index + 1)
    : [...text].map((_, i) => i);
  const start = places[at % places.length] ?? 0;
  return text.slice(0, start) + added + text.slice(start + removed);
}

test('promise 32: a part of JSON that is read alone is what the whole file has in its place', () => {
  let read = 0;
  fc.assert(
    fc.property(base, edit, (before, change) => {
      const after = apply(before, change);
      const part = createPartReader(before)(after);
      if (part === undefined) return;
      read += 1;
      const [old, now] = [findAt(parseJson(before), part.path), findAt(parseJson(after), part.path)];
      if (!Array.isArray(part.removed) || !Array.isArray(old) || !Array.isArray(now)) {
        expect([old, now]).toEqual([part.removed, part.added]);
        return;
      }
      const { removed, added } = part;
      const starts = old.flatMap((_, start) => [start, old.length]).concat(0);
      const isSpliced = starts.some(
        (start) =>
          JSON.stringify(old.slice(start, start + removed.length)) === JSON.stringify(removed) &&
          JSON.stringify(old.toSpliced(start, removed.length, ...(Array.isArray(added) ? added : []))) ===
            JSON.stringify(now),
      );
      expect(isSpliced).toBe(true);
    }),
    { numRuns: 2_000 },
  );
  expect(read).toBeGreaterThan(50);
});

test('promise 32: an edit of JSON is judged by its part alone as by the whole file', () => {
  let accepted = 0;
  fc.assert(
    fc.property(base, edit, (before, change) => {
      const after = apply(before, change);
      const [old, now] = [parseJson(before), parseJson(after)];
      const isGood =
        now !== undefined && !after.startsWith('\uFEFF') && createValueComparison(old, file).compare(now) === undefined;
      if (isGood && after !== before) accepted += 1;
      expect(createJsonComparison(before, file)(after) === undefined).toBe(isGood);
    }),
    { numRuns: 2_000 },
  );
  expect(accepted).toBeGreaterThan(40);
});

const findAt = (root: Data | undefined, path: readonly (string | number)[]): Data | undefined =>
  path.reduce<Data | undefined>(
    (at, key) =>
      at !== null && typeof at === 'object'
        ? Object.entries(at).find(([name]) => name === String(key))?.[1]
        : undefined,
    root,
  );
