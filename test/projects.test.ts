import { globSync, readFileSync } from 'node:fs';
import { dirname, join, matchesGlob } from 'node:path';
import { expect, test } from 'vitest';
import { longest, projects } from './projects.ts';

const files = globSync('test/**/*.test.ts');

const projectsOf = (file: string) =>
  projects
    .filter(({ include, exclude }) => {
      const matches = (pattern: string) => matchesGlob(file, pattern);
      return include.some(matches) && !exclude.some(matches);
    })
    .map(({ name }) => name);

const importsOf = new Map(
  globSync('{src,local,harness,trials,eval,test}/**/*.ts', { exclude: ['eval/sites/**'] }).map((file) => {
    const specifiers = [...readFileSync(file, 'utf8').matchAll(/\bfrom\s+'(\.[^']+\.ts)'/g)];
    return [file, specifiers.map(([, specifier = '']) => join(dirname(file), specifier))];
  }),
);

/** Everything that a file imports, directly or through other files. */
function findImports(file: string, found = new Set<string>()): Set<string> {
  for (const path of importsOf.get(file) ?? []) {
    if (found.has(path)) continue;
    found.add(path);
    findImports(path, found);
  }
  return found;
}

test('each test file is in one project', () => {
  expect(files.length).toBeGreaterThan(100);
  expect(files.filter((file) => projectsOf(file).length !== 1)).toEqual([]);
  expect(projectsOf('test/a.typo.test.ts')).toEqual([]);
});

test('the files that start first exist', () => {
  expect(longest.filter((file) => !files.includes(file))).toEqual([]);
});

test.each([
  { of: ['unit'], what: 'a database', module: 'test/support/databases/database.ts' },
  { of: ['unit', 'database'], what: 'a service', module: 'src/service.ts' },
  {
    of: ['unit', 'database', 'story', 'edge'],
    what: 'a process of the service',
    module: 'harness/processes/spawn-service.ts',
  },
])('no test of the projects $of starts $what', ({ of, module }) => {
  const candidates = files.filter((file) => projectsOf(file).some((name) => of.includes(name)));
  expect(candidates.filter((file) => findImports(file).has(module))).toEqual([]);
});
