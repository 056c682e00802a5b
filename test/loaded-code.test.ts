import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { list } from './support/values/list.ts';

const parsers = list(`
    @babel/parser @secretlint/core @shikijs/core @slorber/remark-comment acorn markdown-it parse5
    remark-math remark-mdx unified`);

test.each([
  ['the service loads no parser that only threads need', 'src/main.ts', parsers],
  ['a thread of documentation loads no part of the service', 'src/docs-session/docs-thread.ts', services()],
  ['a thread of tasks loads no library before its task', 'src/threads/task-entry.ts', [...parsers, ...services()]],
  ['a thread reads MDX without KaTeX', 'src/docs/formats/mdx.ts', ['remark-math', '@babel/parser']],
])('%s', (_name, entry, unwanted) => {
  const loaded = listLibraries(entry);
  expect(unwanted.filter((library) => loaded.has(library))).toEqual([]);
});

function services(): string[] {
  return list('@octokit/rest express kysely openai pg pg-boss probot zod remark-math markdown-it');
}

const statement = /^(?:import|export)\b(?! type\b)[\w\s*{},$]*?\bfrom\s+'([^']+)'|^import\s+'([^']+)'/gm;

/** The libraries that a module and all modules which it imports at its start import. */
function listLibraries(entry: string): Set<string> {
  const libraries = new Set<string>();
  const seen = new Set([entry]);
  for (const file of seen) {
    const text = readFileSync(file, 'utf8');
    for (const [, named, bare] of text.matchAll(statement)) {
      const from = named ?? bare ?? '';
      if (from.startsWith('.')) seen.add(join(dirname(file), from));
      else
        libraries.add(
          from
            .split('/')
            .slice(0, from.startsWith('@') ? 2 : 1)
            .join('/'),
        );
    }
  }
  return libraries;
}
