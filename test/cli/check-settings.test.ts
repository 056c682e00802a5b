import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { checkSettings } from '../../src/cli/check-settings.ts';
import { UsageError } from '../../src/cli/report-usage.ts';

function write(text: string): string {
  const file = join(mkdtempSync(join(tmpdir(), 'pagewright-settings-')), 'pagewright.yml');
  writeFileSync(file, text);
  return file;
}

test('a file without mistakes is told so', async () => {
  const file = write('draft: true\n');
  expect(await checkSettings({ file, format: 'text' })).toEqual({
    text: `${file} has no mistakes\n`,
    hasFailed: false,
  });
});

test('a mistake is told in the words of the pull request', async () => {
  const file = write('base: main\nlabel: [docs]\n');
  const { text, hasFailed } = await checkSettings({ file, format: 'text' });
  expect(hasFailed).toBe(true);
  expect(text).toContain(`${file}: \`label\` is not a setting; did you mean \`labels\`? (line 2)\n`);
  expect(text).toContain('ignores all of it');
});

test('a workflow annotates the line of the mistake, and nothing in the file can write another command', async () => {
  const file = write('base: main\n"a\\n::error::b": 1\n');
  const { text } = await checkSettings({ file, format: 'github' });
  expect(text.split('\n').filter((line) => line.startsWith('::'))).toEqual([
    expect.stringMatching(/^::error file=[^:]*pagewright\.yml,line=2::`a\?/),
  ]);
});

test('a file that does not exist is a mistake in the arguments', async () => {
  await expect(checkSettings({ file: '/does/not/exist.yml', format: 'text' })).rejects.toThrow(UsageError);
});
