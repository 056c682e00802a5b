import { globSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { promises } from '../../trials/ledger.ts';

/** All promises of Pagewright, from 1 on. */
const last = 42;
const read = (pattern: string) => globSync(pattern).map((file) => readFileSync(file, 'utf8'));
const trials = read('trials/{faults,hostile}/**/*.ts');
const tests = read('test/**/*.test.ts');

/** `count(3, …)`, `promise: 22`, `of [1, 17]` or `comparedPromises = [1, …]`. */
const isTried = (promise: number) =>
  trials.some((text) =>
    [...text.matchAll(/count\(\s*(\d+),|promise: (\d+)|(?:of|comparedPromises =) \[([\d, ]+)\]/g)].some((match) =>
      match.slice(1).some((found) => found?.split(', ').includes(String(promise))),
    ),
  );

/** A test whose name begins with `promise 3: ` or `promises 1, 2 and 3: `. */
const isTested = (promise: number) =>
  tests.some((text) =>
    [...text.matchAll(/['`]promises? ([\d, and]+)\b/g)].some(([, list = '']) =>
      list.split(/\D+/).includes(String(promise)),
    ),
  );

test('each promise of the ledger has a trial', () => {
  expect(Object.keys(promises).length).toBeGreaterThan(30);
  expect(Object.keys(promises).filter((promise) => !isTried(Number(promise)))).toEqual([]);
  expect(isTried(30)).toBe(false);
});

test('each promise has a test that is named after it', () => {
  const all = Array.from({ length: last }, (_, index) => index + 1);
  expect(all.filter((promise) => !isTested(promise))).toEqual([]);
  expect(isTested(last + 1)).toBe(false);
});

test.each([
  { of: 'trials/faults/plan.ts', name: /^ {2}(\w+): (?:async )?\(trial/gm, page: 'docs/reliability.md' },
  { of: 'trials/hostile/families.ts', name: /^ {2}(\w+): \[/gm, page: 'docs/security.md' },
])('each trial of $of has a row in $page', ({ of, name, page }) => {
  const names = [...readFileSync(of, 'utf8').matchAll(name)].map(([, found]) => found);
  expect(names.length).toBeGreaterThan(7);
  expect(names.filter((found) => !readFileSync(page, 'utf8').includes(`\n| \`${found}\` `))).toEqual([]);
});
