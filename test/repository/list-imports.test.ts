import { expect, test } from 'vitest';
import { isAboutPages, listImports } from '../../src/repository/list-imports.ts';

test.each<[string, string, string, string[]]>([
  ['a line of its own', '@AGENTS.md\n', 'CLAUDE.md', ['AGENTS.md']],
  ['an item of a list', '- @docs/style.md', 'CLAUDE.md', ['docs/style.md']],
  ['a path in a sentence', 'See @docs/a.md, then @./b.mdc.', 'CLAUDE.md', ['docs/a.md', 'b.mdc']],
  ['a path relative to the file', '@../AGENTS.md', '.claude/CLAUDE.md', ['AGENTS.md']],
  ['the same file once', '@a.md\n@./a.md', 'CLAUDE.md', ['a.md']],
  ['nothing outside of the repository', '@../a.md @/etc/b.md @~/c.md @.claude/../../d.md', 'CLAUDE.md', []],
  ['nothing in code', '`@a.md`\n\n```\n@b.md\n```\n\n~~~sh\n@c.md', 'CLAUDE.md', []],
  ['no link', '[a](a.md) and b.md', 'CLAUDE.md', []],
  ['no person, package or address', '@rita @acme/docs a@b.md @package.json', 'CLAUDE.md', []],
])('%s is imported', (_name, text, path, expected) => {
  expect(listImports(text, path)).toEqual(expected);
});

test.each<[string, string, boolean]>([
  ['that always applies', 'alwaysApply: true\nglobs: "*.ts"', true],
  ['for pages', 'globs: docs/**/*.mdx\nalwaysApply: false', true],
  ['for pages, as a list', 'globs:\n  - "*.ts"\n  - "*.md"', true],
  ['for a folder of pages', 'globs: docs/**', true],
  ['for code', 'globs: "*.ts,*.tsx"\nalwaysApply: false', false],
  ['without globs', 'description: When you write tests', false],
])('a rule of Cursor %s: %s', (_name, front, expected) => {
  expect(isAboutPages(`---\n${front}\n---\n\nBe brief.\n`)).toBe(expected);
});

test('a rule of Cursor without front matter is about everything', () => {
  expect(isAboutPages('Be brief.\n')).toBe(true);
});
