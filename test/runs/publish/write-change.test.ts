import { expect, test } from 'vitest';
import { chooseSubject, extendDescription } from '../../../src/runs/publish/write-change.ts';

const long = 'This sentence about the limits of requests is far too long for the subject of a commit.';

test.each<[string, { subject?: string; title?: string; summary: string }, string]>([
  ['the agent’s own', { subject: 'Raise the limit', summary: 'It is 100.' }, 'Raise the limit'],
  ['the first sentence of the summary', { summary: 'It is 100. More.', title: 'Limits' }, 'It is 100.'],
  ['the title, where the sentence is too long', { summary: long, title: 'Raise the limit' }, 'Raise the limit'],
  ['the cut sentence, where nothing is short', { summary: long }, `${long.slice(0, 71)}…`],
])('the subject of a later commit: %s', (_name, answer, expected) => {
  expect(chooseSubject(answer)).toBe(expected);
});

test('a later run adds its summary to the description, apart from the headings of a template', () => {
  const first = '## What changes\n\nThe limit.\n\n## Checklist\n\n- [x] Read';
  const second = extendDescription(first, 'It is 100 now.\n\nSee limits.md.\n');
  expect(second).toBe(`${first}\n\n## Later changes\n\n- It is 100 now.\n\n  See limits.md.`);
  const third = extendDescription(second, 'Fixed a typo.');
  expect(third).toBe(`${second}\n- Fixed a typo.`);
  expect(extendDescription(third, ' ')).toBe(third);
  expect(extendDescription(undefined, 'It is 100.')).toBe('It is 100.');
});
