import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';

test('help and mistakes load no library but commander', () => {
  const libraries = findLoaded('src/pagewright.ts').filter((specifier) => !/^(?:\.|node:)/.test(specifier));
  expect(libraries).toEqual(['commander']);
});

/** What is loaded when the file starts: without types, and without imports that wait. */
function findLoaded(file: string, known = new Set<string>()): string[] {
  const statement = /^(?:import|export)(?! type)\b[\w\s*{},$]*?\bfrom\s+'([^']+)'|^import\s+'([^']+)'/gm;
  for (const [, named, bare] of readFileSync(file, 'utf8').matchAll(statement)) {
    const specifier = named ?? bare ?? '';
    const found = specifier.startsWith('.') ? `./${join(dirname(file), specifier)}` : specifier;
    if (known.has(found)) continue;
    known.add(found);
    if (found.endsWith('.ts')) findLoaded(found, known);
  }
  return [...known];
}
