import { expect, test } from 'vitest';
import { ownSites } from '../../bench/seeded-faults/own-sites.ts';
import { runSeeds, type SeedResult } from '../../bench/seeded-faults/run-seeds.ts';
import { createTree } from '../../src/docs/tree.ts';
import { listProblems } from './support/check-files.ts';

const results = new Map<string, SeedResult[]>();

test.each(ownSites)(
  'promise 31: $name: each seeded fault is told, and no harmless edit is',
  ({ name, files, binaries }) => {
    const paths = new Set([...Object.keys(files), ...binaries]);
    const seeded = runSeeds(createTree({ paths, read: (path) => files[path] }), { times: 1, seed: 1 });
    results.set(name, seeded);
    expect(seeded.flatMap(({ name: kind, wrong }) => wrong.map((what) => `${kind}: ${what}`))).toEqual([]);
  },
);

test('each kind of fault and of harmless edit is seeded into one of the sites', () => {
  const kinds = Map.groupBy([...results.values()].flat(), ({ name }) => name);
  const never = [...kinds].filter(([, seeded]) => seeded.every(({ right }) => right === 0));
  expect(never.map(([name]) => name)).toEqual([]);
  expect(kinds.size).toBeGreaterThan(50);
});

test.each(ownSites)('$name: a whole site has no problem', ({ files, binaries }) => {
  expect(listProblems({}, { ...files, ...Object.fromEntries(binaries.map((path) => [path, ''])) })).toEqual([]);
});
