import fc from 'fast-check';
import { expect, test } from 'vitest';
import { checksDidNotRun } from '../../../src/runs/check-report.ts';
import {
  replaceOwnSection,
  type SectionParts,
  writeNewBody,
  writeSection as writeSectionIn,
  writeTitle as writeTitleIn,
} from '../../../src/runs/publish/pull-request-text.ts';

const context = { repository: 'https://github.test/acme/docs', allowedHosts: ['acme.test'] };
type InContext<Input> = Omit<Input, 'context'>;
type TitleInput = InContext<Parameters<typeof writeTitleIn>[0]>;
const writeTitle = (input: TitleInput) => writeTitleIn({ ...input, context });
const askedAt = new Date('2026-11-20T20:06:31Z');
const instructions = [{ author: 'rita', source: 'comment', prompt: 'Make it 100.', askedAt }];
const writeSection = (input: Partial<SectionParts> = {}) =>
  writeSectionIn({ description: 'Says 100.', instructions, ...input, context });
const byApi = (prompt: string) => ({ author: 'a', source: 'api', prompt, askedAt });

test.each<[string, TitleInput, string]>([
  ['no order to a build server', { title: 'A [no ci]', previous: null, prompt: '' }, 'A [\u200Bno ci]'],
  ['the model’s title', { title: ' Correct it ', previous: 'Old', prompt: 'Do' }, 'Correct it'],
  ['the previous title', { title: undefined, previous: 'Old', prompt: 'Do' }, 'Old'],
  ['the first line of the instruction', { title: '  ', previous: null, prompt: 'Make it 100.\nNow.' }, 'Make it 100.'],
  [
    'a default without a title and an instruction',
    { title: undefined, previous: null, prompt: '' },
    'Update the documentation',
  ],
  ['no more than 120 characters', { title: 'a'.repeat(200), previous: null, prompt: '' }, `${'a'.repeat(119)}…`],
  ['no comment marks', { title: 'A <!-- b -->', previous: null, prompt: '' }, 'A b'],
])('the title is %s', (_name, given, expected) => {
  expect(writeTitle(given)).toBe(expected);
});

test('a section has the description, then each instruction with its author, source and time', () => {
  expect(writeSection()).toBe(
    [
      '<!-- pagewright:start -->',
      'Says 100.',
      '## Instructions',
      '- **rita** (comment), 2026-11-20 20:06 UTC:\n  > Make it 100.',
      '<!-- pagewright:end -->',
    ].join('\n\n'),
  );
});

test('the limit comes first', () => {
  const section = writeSection({ limit: 'Stopped at 3 turns.' });
  expect(section.indexOf('> [!WARNING]\n> Stopped at 3 turns.')).toBeLessThan(section.indexOf('Says 100.'));
});

test('a section warns of invalid settings and names the files that the run followed', () => {
  const section = writeSection({
    problems: ['draft has to be true or false', 'model is unknown'],
    sources: ['AGENTS.md', '.github/pagewright.yml'],
  });
  expect(section).toContain(
    '> [!WARNING]\n> The settings of this repository have mistakes:\n' +
      '> - draft has to be true or false\n> - model is unknown\n',
  );
  expect(section).toContain(
    '\n\nFiles of the repository that the agent followed: `AGENTS.md`, `.github/pagewright.yml`.\n\n<!-- pagewright:end -->',
  );
});

test('the description says which instructions had images that were not seen', () => {
  const asked = [
    { author: 'rita', source: 'comment', prompt: 'As here.', askedAt, images: 2 },
    { author: 'acme', source: 'api', prompt: null, askedAt, images: 1 },
  ];
  const section = writeSection({ instructions: asked });
  expect(section).toContain('UTC (2 images were not seen):\n  > As here.');
  expect(section).toContain('UTC (1 image was not seen)\n');
});

test('a multi-line instruction stays in its quotation, and a long one is cut', () => {
  const prompt = `One.\n# Two\n${'x'.repeat(1_000)}`;
  const section = writeSection({ instructions: [byApi(prompt)] });
  expect(section).toContain('\n  > One.\n  > # Two\n  > xxx');
  expect(section.length).toBeLessThan(800);
});

test('a section lists the newest forty instructions', () => {
  const many = Array.from({ length: 60 }, (_, index) => byApi(`No ${index}.`));
  const section = writeSection({ instructions: many });
  expect(section).toContain('- 20 earlier instructions\n');
  expect(section).not.toContain('No 19.');
  expect(section.match(/> No \d+\./g)).toHaveLength(40);
});

test('a body stays within GitHub’s limit for any input', () => {
  const prompt = '&'.repeat(5_000);
  const name = '@a `<'.repeat(200);
  const named = { file: name, message: name, target: name, explanation: name };
  const problem = { ...named, line: 1, kind: 'link', severity: 'must' } as const;
  const section = writeSection({
    description: '@a '.repeat(50_000),
    instructions: Array(60).fill(byApi(prompt)),
    limit: 'Stopped.',
    notes: { addresses: Array.from({ length: 30 }, () => name), opened: [] },
    checks: {
      ...checksDidNotRun,
      ran: true,
      navigation: true,
      links: 1,
      pages: 1,
      problems: Array(50).fill(problem),
      more: 9,
    },
  });
  const template = 'x'.repeat(20_000);
  expect(writeNewBody({ section, template, jobId: 'job_1' }).length).toBeLessThan(65_536);
});

test('a cut text hides nothing after it', () => {
  const words = fc.array(fc.constantFrom('@a', '#1', 'x', '\n', '`', ' '), { minLength: 9_000, maxLength: 9_100 });
  fc.assert(
    fc.property(words, (parts) => {
      const section = writeSection({ description: parts.join('') });
      const comments = section.match(/<!--.*?-->/gs) ?? [];
      // What may be code is quieted by invisible characters instead, and all of a text may be.
      const whole = ['<!-- pagewright:start -->', '<!-- -->', '<!-- pagewright:end -->'];
      expect(new Set([...comments, '<!-- -->'])).toEqual(new Set(whole));
    }),
    // To shrink nine thousand words takes longer than anybody waits.
    { numRuns: 10, endOnFailure: true, examples: [[['`', ...Array<string>(9_000).fill('@a')]]] },
  );
});

test.each<[string, string, string | undefined, boolean]>([
  ['is added when its headings are missing', 'Says 100.', '## Checked by\n', true],
  ['is left out when the description follows it', '## checked by\n\nRita', '## Checked by\n', false],
  ['without headings is always added', 'Please read.', 'Please read.', true],
  ['that does not exist is not added', 'Says 100.', undefined, false],
])('a template %s', (_name, description, template, isAdded) => {
  const section = writeSection({ description });
  const body = writeNewBody({ section, template, jobId: 'job_1' });
  const tail = isAdded ? `\n\n${template?.trim()}` : '';
  expect(body).toBe(`${section}${tail}\n\n<!-- pagewright:job job_1 -->`);
});

test.each<[string, string]>([
  ['a block of code', '```js\nconst a = 1;'],
  ['a tag', 'Says 100. <details><summary>More'],
  ['an instruction', '<?php'],
])('%s without an end hides nothing after it', (_name, description) => {
  const [about = ''] = writeSection({ description }).split('\n\n## Instructions');
  expect(about).not.toMatch(/<[ds?]/);
  expect((about.match(/^```/gm) ?? []).length % 2).toBe(0);
});

test('an instruction with carriage returns stays in its quotation', () => {
  const section = writeSection({ instructions: [byApi('a\r```\r\nb')] });
  expect(section).toContain('  > a\n  > ```\n  > b\n');
});

test('promise 13: replacing our section keeps every other character of the body', () => {
  const words = fc.string({ unit: 'grapheme' }).filter((text) => !text.includes('<!-- pagewright:'));
  fc.assert(
    fc.property(words, words, words, words, (before, after, old, description) => {
      const was = writeSection({ description: old });
      const now = writeSection({ description });
      expect(replaceOwnSection(before + was + after, now)).toBe(before + now + after);
    }),
  );
});

test.each<[string, string]>([
  ['a body without our section', 'My own words.'],
  ['an empty body', ''],
  ['a section without its end', '<!-- pagewright:start --> and then mine'],
  ['a section without its start', 'mine <!-- pagewright:end -->'],
  ['marks in the wrong order', '<!-- pagewright:end --><!-- pagewright:start -->'],
])('promise 13: %s is left alone', (_name, body) => {
  expect(replaceOwnSection(body, 'ours')).toBeUndefined();
});

test('promise 19: new external addresses are listed as code, and no more than twenty', () => {
  const addresses = Array.from({ length: 25 }, (_, index) => `https://h${index}.example/\`x`);
  const section = writeSection({ notes: { addresses, opened: [] } });
  expect(section).toContain('## New external addresses');
  expect(section).toContain('- `` https://h0.example/`x ``');
  expect(section).toContain('- and 5 more');
  expect(section).not.toContain('h20.example');
});

test('promise 19: a change of files that are no pages says so first', () => {
  const notes = { addresses: [], opened: ['static/site.css'] };
  const section = writeSection({ limit: 'Stopped.', notes });
  expect(section.split('\n\n')[1]).toMatch(
    /^> \[!WARNING\]\n> This change includes files that are not pages: .*static\/site\.css/,
  );
});
