import { expect, test } from 'vitest';
import { listImports } from '../../src/runs/prepare/read-writing-rules.ts';

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
