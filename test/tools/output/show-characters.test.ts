import fc from 'fast-check';
import { expect, test } from 'vitest';
import { showTask, showWithNote } from '../../../src/tools/output/show-characters.ts';
import { createToolbox } from '../toolbox.ts';

const hidden = (text: string) =>
  [...text].map((letter) => String.fromCodePoint(0xe0000 + letter.charCodeAt(0))).join('');
const page = `# Title\n\nOne${hidden('hi')} line.\nTwo\u202E lines.\nThe text ⟨U+200B⟩ itself.\n`;

test('promise 20: read_file, search, list_files and errors show invisible characters, with a note', async () => {
  await using box = await createToolbox({ 'a.md': page, 'b\uFE0F.md': 'b\n' });
  const outputs = await Promise.all([
    box.call('read_file', { path: 'a.md' }),
    box.call('search', { pattern: '^(One|Two|The)' }),
    box.call('list_files', {}),
    box.call('edit_file', { path: 'a.md', old_text: 'One line.', new_text: 'x' }),
    box.call('read_file', { path: 'none\u200B.md' }),
  ]);
  const [read, found, listed, missed] = outputs.map(({ output }) => output);
  expect(read).toContain('One⟨U+E0068⟩⟨U+E0069⟩ line.\nTwo⟨U+202E⟩ lines.\nThe text ⟨U+27E8⟩U+200B⟩ itself.');
  expect(found).toContain('a.md\n3: One⟨U+E0068⟩⟨U+E0069⟩ line.');
  expect(listed).toContain('b⟨U+FE0F⟩.md');
  expect(missed).toContain('It differs from old_text only in invisible characters. Copy it exactly:\n\nOne⟨U+E0068⟩');
  for (const { output } of outputs) {
    expect(output).not.toMatch(/[\p{DI}]/v);
    if (output.includes('⟨')) expect(output).toContain('[Invisible characters are shown');
  }
});

test('promise 20: the model removes, keeps or names invisible characters as they are shown', async () => {
  await using box = await createToolbox({ 'a.md': page, 'b\uFE0F.md': 'b\n' });
  const edit = (old_text: string, new_text: string) => box.call('edit_file', { path: 'a.md', old_text, new_text });
  expect((await edit('One⟨U+E0068⟩⟨U+E0069⟩ line', 'One⟨U+E0069⟩ line')).isError).toBe(false);
  expect((await edit('Two⟨U+202E⟩ lines', 'Two lines')).isError).toBe(false);
  expect((await edit('text ⟨U+27E8⟩U+200B⟩ itself', 'word ⟨U+27E8⟩U+200B⟩ itself')).isError).toBe(false);
  expect(await box.read('a.md')).toBe(`# Title\n\nOne${hidden('i')} line.\nTwo lines.\nThe word ⟨U+200B⟩ itself.\n`);
  expect(await box.output('read_file', { path: 'b⟨U+FE0F⟩.md' })).toContain('\nb');
  expect(await box.output('search', { pattern: '⟨U+E0069⟩ line' })).toContain('a.md:3:');
  // New ones are refused, so that none comes in unseen.
  expect(await box.call('write_file', { path: 'c.md', content: 'a⟨U+00AD⟩b' })).toMatchObject({
    isError: true,
    output: expect.stringContaining('invisible characters: U+00AD'),
  });
});

const line = fc
  .array(
    fc.constantFrom('a', ' ', '⟨U+200B⟩', '⟨', 'U+00AD⟩', '\u200B', '\u{E0041}', '\u{1F469}\u200D\u{1F4BB}', '\r'),
    {
      maxLength: 8,
    },
  )
  .map((parts) => parts.join(''));

test('promise 20: an edit of a shown line leaves every other byte as it was', async () => {
  // A file may hold as many invisible characters as it had.
  await using box = await createToolbox({ 'a.md': '\u200B\u00AD\u200D\u{E0041}\r'.repeat(100) });
  await fc.assert(
    fc.asyncProperty(
      fc.array(line, { maxLength: 5 }),
      line,
      fc.array(line, { maxLength: 5 }),
      async (before, middle, after) => {
        const around = (text: string) => [...before, `<${text}>`, ...after].join('\n');
        await box.workspace.writeFile('a.md', around(middle));
        const output = await box.output('read_file', { path: 'a.md' });
        const shown = output.split('\n').find((row) => row.startsWith('<')) ?? '';
        const edited = await box.call('edit_file', { path: 'a.md', old_text: shown, new_text: '<new>' });
        expect(edited).toMatchObject({ isError: false });
        expect(await box.read('a.md')).toBe(around('new'));
      },
    ),
    { numRuns: 200 },
  );
});

test('promise 7: a result stays bounded, however much of it is invisible', () => {
  const shown = showWithNote('\u{E0041}'.repeat(40_000));
  expect(shown.length).toBeLessThan(81_000);
  expect(shown.slice(-400)).toMatch(/⟨U\+E0041⟩\n\n\[The rest is left out/);
  expect(showTask.isSmall?.('\u200B'.repeat(40_000))).toBe(false);
});
