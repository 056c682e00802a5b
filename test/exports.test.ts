import { globSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';

const root = join(import.meta.dirname, '..');
const folders = '{src,test,harness,local,bench,trials,eval}';

interface File {
  path: string;
  text: string;
  /** Of the modules that it imports, also at run time. */
  imports: ReadonlySet<string>;
}

const files: File[] = globSync(`${folders}/**/*.ts`, { cwd: root }).map((path) => {
  const text = readFileSync(join(root, path), 'utf8');
  const specifiers = [...text.matchAll(/(?:\bfrom|\bimport\(?)\s*'(\.[^']+)'/g)].map(([, specifier = '']) => specifier);
  return { path, text, imports: new Set(specifiers.map((specifier) => join(dirname(path), specifier))) };
});

const listExports = ({ text }: File): string[] =>
  [...text.matchAll(/^export (?:abstract )?(?:async )?(?:function\*?|const|class|interface|type) (\w+)/gm)].map(
    ([, name = '']) => name,
  );

const names = (text: string, name: string) => new RegExp(`\\b${name}\\b`).test(text);

/** A thread loads the function by its name. */
const isThreadTask = ({ text }: File, name: string) =>
  text.includes('module: import.meta.url') && names(text, `work: ${name}`);

const listUnused = (file: File): string[] =>
  listExports(file).filter(
    (name) =>
      !isThreadTask(file, name) && !files.some((other) => other.imports.has(file.path) && names(other.text, name)),
  );

test('every export of src is imported somewhere', () => {
  const unused = files
    .filter(({ path }) => path.startsWith('src/'))
    .flatMap((file) => listUnused(file).map((name) => `${file.path}: ${name}`));

  expect(unused).toEqual([]);
});

test('every function that a thread loads by its name is exported', () => {
  const tasks = files
    .filter(({ path }) => path.startsWith('src/'))
    .flatMap((file) =>
      [...file.text.matchAll(/module: import\.meta\.url,\s+work: (\w+)/g)].map(([, name = '']) => ({ file, name })),
    );
  const hidden = tasks.filter(({ file, name }) => !listExports(file).includes(name));

  expect(tasks.length).toBeGreaterThan(20);
  expect(hidden.map(({ file, name }) => `${file.path}: ${name}`)).toEqual([]);
});

test('an export that only its own file uses is found', () => {
  const file: File = { path: 'src/lonely.ts', text: 'export const lonely = 1;\nlonely + 1;', imports: new Set() };

  expect(listUnused(file)).toEqual(['lonely']);
});
