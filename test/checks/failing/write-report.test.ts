import { expect, test } from 'vitest';
import { cutLog, maxReportBytes, type ReadCheck, writeReport } from '../../../src/checks/failing/read-report.ts';

const check = (name: string, more: Partial<ReadCheck> = {}, summary = '', count = 0): ReadCheck => ({
  check: {
    kind: 'run',
    key: name,
    name,
    url: null,
    run: {
      checkRunId: 1,
      name,
      sha: 'head',
      externalId: '',
      isFinished: true,
      conclusion: 'failure',
      startedAt: null,
      url: null,
      appId: 1,
      appSlug: 'ci',
      suiteId: 1,
      title: '',
      summary,
      text: '',
      annotations: count,
    },
  },
  annotations: [],
  log: undefined,
  ...more,
});
const line = (text: string) => `2026-11-28T10:00:00.1234567Z ${text}`;

test.each<[string, string, string]>([
  ['a log ends with its last error', [line('a'), line('##[error]b'), line('c')].join('\n'), 'a\n##[error]b'],
  ['colors and groups go', [line('##[group]Run'), line('\u001b[31mred\u001b[0m')].join('\n'), 'red'],
  [
    'other codes of terminals go',
    'a\u001b[?25l\u001b[38:5:1mb\u001b]8;;https://example.com\u0007c\u001b]8;;\u001b\\\u001b[K',
    'abc',
  ],
  ['a log without an error keeps its end', 'first\nlast', 'first\nlast'],
])('%s', (_name, log, expected) => {
  expect(cutLog(log, 1_000)).toBe(expected);
});

test('a long log keeps whole lines from its end', () => {
  const log = `${'x'.repeat(90)}\n`.repeat(100);
  expect(cutLog(`${log}##[error]end`, 200)).toBe(`${`${'x'.repeat(90)}\n`.repeat(2)}##[error]end`);
});

test('a short check is reported whole beside a long one, and all of it has at most 24 KB', () => {
  const long = 'ü'.repeat(500);
  const log = `${long}\n`.repeat(1_000);
  const short = check('short', {}, 'Found one fault.');
  const many = Array.from({ length: 12 }, (_, index) =>
    check(`long ${index}`, { log, annotations: [] }, long.repeat(50)),
  );
  const report = writeReport([short, ...many]);
  expect(Buffer.byteLength(report)).toBeLessThanOrEqual(maxReportBytes);
  expect(Buffer.byteLength(report)).toBeGreaterThan(maxReportBytes * 0.8);
  expect(report).toContain('Check: short\nFound one fault.');
  for (const index of [0, 8]) expect(report).toContain(`Check: long ${index}\n`);
  expect(report).toContain('The end of its log:');
  expect(report).toMatch(/and 3 more$/);
  expect(report).not.toContain('\ufffd');
});

test('a report can be stored, whatever a log holds', () => {
  const report = writeReport([check('vale', { log: `${'x'.repeat(999)}😀\0` })]);
  expect(report.isWellFormed() && !report.includes('\0')).toBe(true);
});

test('annotations and notes stand in lines of their own', () => {
  const annotation = { path: 'a\nb.md', line: 3, level: 'failure', title: 'Spelling', message: 'no word' };
  const report = writeReport([check('vale\u200b', { annotations: [annotation], note: 'No log.' })]);
  expect(report).toBe('Check: vale\nNo log.\n- a b.md:3 failure: Spelling: no word');
});

test('of many annotations, failures come first, and all of them are counted', () => {
  const warning = { path: 'a.md', line: 1, level: 'warning', title: '', message: 'Long.' };
  const annotations = [
    ...Array.from({ length: 99 }, () => warning),
    { ...warning, level: 'failure', message: 'Gone.' },
  ];
  const lines = writeReport([check('vale', { annotations }, '', 1_000)]).split('\n');
  expect(lines[1]).toBe('- a.md:1 failure: Gone.');
  expect(lines.at(-1)).toBe('- and 950 more');
});
