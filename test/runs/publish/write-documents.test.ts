import { expect, test } from 'vitest';
import type { Visibility } from '../../../src/github/calls/repository.ts';
import { writeSection } from '../../../src/runs/publish/pull-request-text.ts';
import { type Documented, listDocuments, writeDocuments } from '../../../src/runs/publish/write-documents.ts';
import type { OccasionSubject } from '../../../src/store/tables/columns.ts';

const context = { repository: 'https://github.com/acme/docs', allowedHosts: [] };
const code = { repositoryId: 2, owner: 'acme', visibility: 'public' as const };
const documentation = { repositoryId: 1, owner: 'acme', visibility: 'public' as const };
const writeAll = (documents: readonly Documented[]) => writeDocuments(documents, context).join('\n');
const readers = { documentation, opened: [{ repository: code }] };
const merged = (number: number, more: Partial<OccasionSubject> = {}): OccasionSubject => ({
  kind: 'pull_request',
  repositoryId: 2,
  repository: 'acme/api',
  number,
  title: `Change ${number}`,
  author: { login: 'rita', isBot: false },
  ...more,
});

test('what an automation documents is named by references that GitHub links, each once', () => {
  const documents = listDocuments([merged(12), merged(13), merged(12), { kind: 'time', title: 'now' }], readers);
  expect(writeAll(documents)).toBe('- acme/api#12: Change 12, by rita\n- acme/api#13: Change 13, by rita');
});

test.each<[string, string]>([
  ['mentions', '@acme/all look'],
  ['references', 'Closes acme/other#3'],
  ['HTML', '<img src=x> <!-- pagewright:end -->'],
  ['links', '[click](https://evil.example)'],
  ['lines', 'one\n\n## Two'],
])('promise 19: a title cannot carry %s into the pull request', (_what, title) => {
  const text = writeAll(listDocuments([merged(12, { title })], readers));
  expect(text.split('\n')).toHaveLength(1);
  expect(text).not.toMatch(/(?<![`\w])@acme|(?<!`)acme\/other#3|(?<!\\)<img|<!-- pagewright|\]\(https/);
});

test.each<[Visibility, string, Visibility, boolean]>([
  ['private', 'acme', 'public', false],
  ['internal', 'acme', 'public', false],
  ['private', 'Acme', 'private', true],
  ['private', 'partner', 'private', false],
  ['internal', 'partner', 'private', false],
  ['public', 'partner', 'private', true],
])('promise 37: a %s repository of %s beside a %s one of acme is named: %s', (visibility, owner, beside, isNamed) => {
  const listed = listDocuments([merged(12, { repository: `${owner}/api` })], {
    documentation: { ...documentation, visibility: beside },
    opened: [{ repository: { repositoryId: 2, owner, visibility } }],
  });
  expect(/api|Change 12|rita/.test(writeAll(listed))).toBe(isNamed);
});

test('promise 37: a repository that the run could not read is not named; the documentation itself is', () => {
  const unread = { documentation: { ...documentation, visibility: 'private' as const }, opened: [] };
  const own = merged(13, { repositoryId: 1, repository: 'acme/docs' });
  const text = writeAll(listDocuments([merged(12), own], unread));
  expect(text).not.toContain('acme/api');
  expect(text).toContain('acme/docs#13: Change 13');
});

const paragraphs = Array.from({ length: 60 }, (_, n) => `Paragraph ${n} ${'is long '.repeat(12)}`);
test.each([
  ['short paragraphs', paragraphs.join('\n\n')],
  ['one long list', paragraphs.map((text) => `- ${text}`).join('\n')],
  ['code', `Paragraph 0\n\n\`\`\`\n${paragraphs.join('\n\n')}\n\`\`\``],
])('promise 39: a reviewer reads at most 2,500 characters before the details: %s', (_what, description) => {
  const titled = Array.from({ length: 30 }, (_, n) => merged(n + 1, { title: `Change ${n + 1} ${'*'.repeat(100)}` }));
  const section = writeSection({
    description,
    instructions: [],
    documents: listDocuments(titled, readers),
    problems: ['`base` is no branch.'],
    context,
  });
  const [before = '', details = ''] = section.split('<details>');
  expect(before.length).toBeLessThanOrEqual(2_500);
  expect(before).toContain('Paragraph 0');
  expect(before).toContain('acme/api#1: Change 1');
  expect(before).toContain('- and more, in the details');
  for (const { number } of titled.slice(0, 20)) expect(section).toContain(`- acme/api#${number}: `);
  expect(details).toContain('Paragraph 59');
});

test('the prompt of an automation is quoted once, however often it asks', () => {
  const ask = { author: 'limits', source: 'automation', prompt: 'Follow the code.', askedAt: new Date(0) };
  const section = writeSection({ description: 'x', instructions: [ask, ask, ask], context });
  expect(section.match(/\*\*limits\*\*/g)).toHaveLength(3);
  expect(section.match(/Follow the code/g)).toHaveLength(1);
});
