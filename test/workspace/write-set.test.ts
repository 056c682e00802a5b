import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createPathIndex } from '../../src/workspace/path-index.ts';
import { createSortedPaths, createWriteSet } from '../../src/workspace/write-set.ts';

const numbered = (folder: string, count: number) => Array.from({ length: count }, (_, index) => `${folder}${index}`);

test('promise 7: a deep path costs no more than its name', async () => {
  const files = numbered('a/'.repeat(490), 5_000).map((path) => [path, { sha: '0', isExecutable: false }] as const);
  const others = numbered('b/'.repeat(1_990), 5_000).map((path) => [path, 'a symbolic link'] as const);
  const set = await createWriteSet({ files: new Map(files), others: new Map(others) });
  expect(set.has('a/'.repeat(490).concat('7'))).toBe(true);
});

test('a folder whose only file has a too long name is a folder', async () => {
  const set = await createWriteSet({
    files: new Map(),
    others: new Map([[`Docs/${'b/'.repeat(1_990)}c`, 'a submodule']]),
  });
  expect([set.hasFolder('Docs'), set.hasFolder('Docs/b'), set.hasFolder('b'), set.list()]).toEqual([
    true,
    true,
    false,
    [],
  ]);
  expect(set.findClash('docs/a.md')).toBe('Docs');
});

test('two spellings of one folder collide', () => {
  const index = createPathIndex(['Docs/X.md', 'docs/y.md']);
  expect(index.findClash('docs/x.md')).toBe('Docs/X.md');
  expect(index.findClash('docs/z.md')).toBeUndefined();
  index.remove('Docs/X.md');
  expect(index.findClash('docs/x.md')).toBeUndefined();
  expect(index.findClash('Docs/z.md')).toBe('docs');
});

const path = fc.array(fc.constantFrom('a', 'A', 'é', 'e\u0301', 'ß', 'SS', 'b'), { minLength: 1, maxLength: 4 });
const paths = fc.uniqueArray(path.map((names) => names.join('/')));

test('adding and removing files leaves the index unchanged', () => {
  fc.assert(
    fc.property(paths, paths, paths, (kept, gone, queried) => {
      const plain = createPathIndex(kept);
      const used = createPathIndex([...gone, ...kept]);
      for (const other of gone) {
        if (!kept.includes(other)) {
          used.remove(other);
        }
      }
      for (const name of queried) {
        expect(used.hasFolder(name)).toBe(plain.hasFolder(name));
        expect(used.hasFile(name)).toBe(plain.hasFile(name));
        expect(used.findClash(name) === undefined).toBe(plain.findClash(name) === undefined);
      }
    }),
  );
});

test('paths stay in order, each once, whatever is added and removed', () => {
  fc.assert(
    fc.property(paths, fc.array(fc.tuple(fc.boolean(), path)), (initial, steps) => {
      const sorted = createSortedPaths(initial);
      const expected = new Set(initial);
      for (const [isAdded, names] of steps) {
        const name = names.join('/');
        if (isAdded) {
          sorted.add(name);
          expected.add(name);
        } else {
          sorted.remove(name);
          expected.delete(name);
        }
      }
      expect(sorted.list()).toEqual([...expected].sort());
    }),
  );
});
