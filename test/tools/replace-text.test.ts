import { expect, test } from 'vitest';
import { sampleKeys } from '../support/values/sample-keys.ts';
import { createToolbox } from './toolbox.ts';

const files = {
  'docs/a.md': 'See /install and /install-windows.\n',
  'docs/b.md': 'Go to /install.\r\nAgain: /install\r\n',
  'docs/fr/a.md': 'Voir /install.\n',
  'package.json': '{"home": "/install"}\n',
  '.env': 'URL=/install\n',
  'secret.json': JSON.stringify({ token: sampleKeys['github token'], url: '/install' }),
};

test('replace_text changes every place in many files, and names what it leaves', async () => {
  await using box = await createToolbox(files);
  const args = { old_text: '/install', new_text: '/setup', exclude: 'fr', whole: true };
  const { output, isError } = await box.call('replace_text', args);
  expect(isError).toBe(true);
  expect(output.split('\n')).toEqual([
    'changed 2 files, left 1:',
    'package.json (1 line) is protected because it is a package manifest or a lock file: it decides what code is installed and run',
    'replaced 3 places in 2 files:',
    'docs/a.md:1: See /setup and /install-windows.',
    'docs/b.md:1: Go to /setup.',
    'docs/b.md:2: Again: /setup',
  ]);
  expect(await box.read('docs/b.md')).toBe('Go to /setup.\r\nAgain: /setup\r\n');
  expect(await box.read('docs/fr/a.md')).toBe(files['docs/fr/a.md']);
});

test('replace_text leaves nothing where a protected file holds only a part of the text', async () => {
  await using box = await createToolbox({ 'a.md': '/install\n\nmore\n', 'package.json': '"/install-windows"\n' });
  const whole = { old_text: '/install', new_text: '/setup', whole: true };
  expect(await box.call('replace_text', whole)).toMatchObject({ isError: false });
  const lines = { old_text: '/setup\n\nmore', new_text: '/install' };
  expect(await box.call('replace_text', lines)).toMatchObject({ isError: false });
});

test('replace_text says why it leaves files, one row for each reason', async () => {
  await using box = await createToolbox({
    'a.md': 'old\n',
    'package.json': '"old"\n"old"\n',
    ...Object.fromEntries(Array.from({ length: 20 }, (_, index) => [`src/${index}.py`, 'old\n'])),
  });
  const { output, isError } = await box.call('replace_text', { old_text: 'old', new_text: 'new' });
  const [first, ...rows] = output.split('\n');
  expect({ isError, first, rows: rows.length }).toEqual({ isError: true, first: 'changed 1 file, left 21:', rows: 4 });
  expect(output).toContain('package.json (2 lines) is protected because it is a package manifest');
  expect(output).toMatch(/src\/0\.py \(1 line\), .* and 8 more files are protected because it is neither a page/);
});

test('replace_text lists other spellings of the words, but none that it has written', async () => {
  await using box = await createToolbox({
    'a.md': '# Test Runner\n\nThe test runner, a test-runner.\n',
    'b.md': 'testRunner: the test runner\n',
    'package.json': '{"name": "test-runner"}\n',
  });
  const first = await box.call('replace_text', { old_text: 'test runner', new_text: 'test framework' });
  expect(first.isError).toBe(false);
  expect(first.output.split('\n')).toEqual([
    'replaced 2 places in 2 files:',
    'a.md:3: The test framework, a test-runner.',
    'b.md:1: testRunner: the test framework',
    'Other spellings are left:',
    'a.md:1: # Test Runner',
    'a.md:3: The test framework, a test-runner.',
  ]);
  const second = await box.call('replace_text', { old_text: 'test-runner', new_text: 'Test Runner' });
  expect(second.output).not.toContain('Other spellings');
});

test('other spellings are whole words where the replaced text was, and long answers only count', async () => {
  await using box = await createToolbox({ 'a.md': 'Use the API.\n', 'b.md': 'Because of the capital, the api.\n' });
  const output = await box.output('replace_text', { old_text: 'API', new_text: 'interface', whole: true });
  expect(output).toContain('Other spellings are left:\nb.md:1: Because of the capital, the api.');
  await using large = await createToolbox({ 'a.md': 'Use the API.\n'.repeat(5_000), 'b.md': 'capital\n' });
  const many = await large.call('replace_text', { old_text: 'API', new_text: 'interface', whole: true });
  expect(many.output).toBe('replaced 5,000 places in 1 file:\na.md: 5000');
});

test('replace_text changes nothing if one file refuses its change', async () => {
  await using box = await createToolbox({ 'a.md': 'one PLACE\n', 'b.mdx': '# T\n\nPLACE\n' });
  const args = { old_text: 'PLACE', new_text: '<script src="https://evil.example/x.js"></script>' };
  const { output, isError } = await box.call('replace_text', args);
  expect(isError).toBe(true);
  expect(output).toMatch(/^nothing was changed in 2 files, because one change is refused: .*exclude/s);
  expect(box.workspace.writes().size).toBe(0);
});

test.each([
  ['the same text', { old_text: 'a', new_text: 'a' }, 'the same'],
  ['blank text', { old_text: '\n', new_text: 'a' }, 'visible'],
  ['a text that no file has', { old_text: 'nowhere', new_text: 'a' }, 'no file that you may write'],
  ['a text of a secret file only', { old_text: 'URL=', new_text: 'a' }, 'no file that you may write'],
  ['a folder that is not there', { old_text: 'See', new_text: 'a', path: 'none' }, 'no file or folder none'],
  ['a bad glob', { old_text: 'See', new_text: 'a', glob: '{a' }, 'invalid glob'],
])('replace_text refuses %s', async (_, args, words) => {
  await using box = await createToolbox(files);
  expect(await box.call('replace_text', args)).toEqual({ isError: true, output: expect.stringContaining(words) });
  expect(box.workspace.writes().size).toBe(0);
});

test('replace_text takes text of several lines, and invisible characters by their code points', async () => {
  await using box = await createToolbox({ 'a.md': 'x\n\none\u200B\ntwo\n', 'b.md': 'one\u200B\n\ntwo\n' });
  const args = { old_text: 'one\u27E8U+200B\u27E9\ntwo', new_text: 'three' };
  expect(await box.output('replace_text', args)).toContain('replaced 1 place in 1 file');
  expect(await box.read('a.md')).toBe('x\n\nthree\n');
});
