import { expect, test } from 'vitest';
import { placePreview, previewEnd, previewStart } from '../../src/effects/answer.ts';
import { parsePreviewUrl, writePreview } from '../../src/jobs/note-preview.ts';

const page = (address: string, base = '') => ({ path: `docs${address}.md`, address, base });

test.each<[string, string, string]>([
  ['a site at the root', 'https://pr-1.example.com', 'https://pr-1.example.com/limits'],
  ['a site below a folder', 'https://example.com/pr-1/', 'https://example.com/pr-1/limits'],
  ['a query stays', 'https://example.com/?token=1', 'https://example.com/limits?token=1'],
])('%s: each changed page has a deep link', (_name, url, link) => {
  expect(writePreview(parsePreviewUrl(url) ?? '', [page('/limits')])).toContain(`- [\`docs/limits.md\`](${link})`);
});

test('a base path comes before the address, unless the deployment has one', () => {
  const pages = [page('/fr/limits', '/manual')];
  expect(writePreview('https://pr-1.example.com/', pages)).toContain('(https://pr-1.example.com/manual/fr/limits)');
  expect(writePreview('https://example.com/manual/', pages)).toContain('(https://example.com/manual/fr/limits)');
});

test('at most ten pages are listed; without any, the site is', () => {
  const many = Array.from({ length: 12 }, (_, index) => page(`/${index}`));
  const section = writePreview('https://a.example.com/', many);
  expect(section.match(/^- \[/gm)).toHaveLength(10);
  expect(section).toContain('- and 2 more');
  expect(writePreview('https://a.example.com/', [])).toContain('[The site](https://a.example.com/)');
});

test.each([
  'http://example.com',
  'javascript:alert(1)',
  'https://rita:secret@example.com',
  'data:text/html,x',
  `https://example.com/${'x'.repeat(400)}`,
  'not an address',
  '',
])('%s is no address of a preview', (url) => {
  expect(parsePreviewUrl(url)).toBeUndefined();
});

test('an address cannot end its link or be Markdown', () => {
  const url = parsePreviewUrl('https://example.com/a)[b](https://evil.example)<!--`@rita') ?? '';
  const link = /^- \[`docs\/x\.md`\]\((\S+)\)$/m.exec(writePreview(url, [page('/x')]))?.[1] ?? '';
  expect(link).toMatch(/^https:\/\/example\.com\/[^()<>`[\]]*$/);
});

test('the section comes after ours, is replaced in place, and stays away once a person removed it', () => {
  const section = `${previewStart}\n\nnew\n\n${previewEnd}`;
  const body = 'Mine.\n\n<!-- pagewright:end -->\n\nTemplate.';
  const first = placePreview(body, section, { isFirst: true }) ?? '';
  expect(first).toBe(`Mine.\n\n<!-- pagewright:end -->\n\n${section}\n\nTemplate.`);
  const next = section.replace('new', 'newer');
  expect(placePreview(first, next, { isFirst: false })).toBe(first.replace('new', 'newer'));
  expect(placePreview(body, section, { isFirst: false })).toBeUndefined();
});
