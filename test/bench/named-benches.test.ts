import { globSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';

const pages = ['README.md', 'CONTRIBUTING.md', ...globSync('docs/**/*.md', { exclude: ['docs/node_modules/**'] })];
const runner = readFileSync('bench/run.ts', 'utf8');
const benches = [...runner.matchAll(/^ {2}'?([a-z-]+)'?: (?:\(\) =>|bench)/gm)].map(([, name]) => name);

test('each bench that a page names exists', () => {
  const named = pages.flatMap((page) =>
    [...readFileSync(page, 'utf8').matchAll(/npm run bench -- ([a-z -]+)/g)].flatMap(([, names = '']) =>
      names.split(' ').filter((name) => /^[a-z]/.test(name)),
    ),
  );
  expect(benches.length).toBeGreaterThan(10);
  expect(named).toContain('overhead');
  expect(named.filter((name) => !benches.includes(name))).toEqual([]);
});
