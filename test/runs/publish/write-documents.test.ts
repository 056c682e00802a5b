import { expect, test } from 'vitest';
import { writeSection } from '../../../src/runs/publish/pull-request-text.ts';
import { listDocuments, writeDocuments } from '../../../src/runs/publish/write-documents.ts';
import type { OccasionSubject } from '../../../src/store/tables/columns.ts';

const context = { repository: 'https://github.com/acme/docs', allowedHosts: [] };
const documentation = { repositoryId: 1, visibility: 'public' as const };
const merged = (number: number, more: Partial<OccasionSubject> = {}): OccasionSubject => ({
  kind: 'pull_request',
  repositoryId: 2,
  repository: 'acme/api',
  number,
  title: `Change ${number}`,
  author: { login: 'rita', isBot: false },
  visibility: 'public',
  ...more,
});

test('what an automation documents is named by references that GitHub links, each once', () => {
  const documents = listDocuments([merged(12), merged(13), merged(12), { kind: 'time', title: 'now' }], documentation);
  expect(writeDocuments(documents, context)).toBe(
    '## Documents\n\n- acme/api#12: Change 12, by rita\n- acme/api#13: Change 13, by rita',
  );
});

test.each<[string, string]>([
  ['mentions', '@acme/all look'],
  ['references', 'Closes acme/other#3'],
  ['HTML', '<img src=x> <!-- pagewright:end -->'],
  ['links', '[click](https://evil.example)'],
  ['lines', 'one\n\n## Two'],
])('promise 19: a title cannot carry %s into the pull request', (_what, title) => {
  const text = writeDocuments(listDocuments([merged(12, { title })], documentation), context);
  expect(text.split('\n')).toHaveLength(3);
  expect(text).not.toMatch(/(?<![`\w])@acme|(?<!`)acme\/other#3|(?<!\\)<img|<!-- pagewright|\]\(https/);
});

test.each(['private', 'internal'] as const)(
  'promise 37: a repository that is %s is not named where everybody reads',
  (visibility) => {
    const more = { visibility };
    const text = writeDocuments(listDocuments([merged(12, more)], documentation), context);
    expect(text).not.toContain('acme/api');
    expect(text).not.toContain('Change 12');
    const own = listDocuments([merged(12, { ...more, repositoryId: 1, repository: 'acme/docs' })], documentation);
    expect(writeDocuments(own, context)).toContain('acme/docs#12: Change 12');
  },
);

test('promise 39: a reviewer reads at most 2,500 characters before the details, however long the description is', () => {
  const documents = listDocuments(
    Array.from({ length: 30 }, (_, n) => merged(n + 1)),
    documentation,
  );
  const paragraphs = Array.from({ length: 60 }, (_, n) => `Paragraph ${n} ${'is long '.repeat(12)}`).join('\n\n');
  const section = writeSection({ description: paragraphs, instructions: [], documents, context });
  const [before = '', details = ''] = section.split('<details>');
  expect(before.length).toBeLessThanOrEqual(2_500 + '<!-- pagewright:start -->'.length + 10);
  expect(before).toContain('Paragraph 0');
  expect(before).toContain('acme/api#1: Change 1');
  expect(details).toContain('Paragraph 59');
  expect(details).toContain('## Instructions');
});
