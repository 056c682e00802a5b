import { expect, test } from 'vitest';
import { finishTool } from '../../src/agent/finish.ts';
import { toResponsesTools } from '../../src/agent/model/responses.ts';
import { leaveOut } from '../../src/agent/tool.ts';
import { systemPrompt } from '../../src/runs/work/system-prompt.ts';
import { createToolbox } from './toolbox.ts';

const error = (text: string) => ({ isError: true, output: expect.stringContaining(text) });
const ok = (text: string) => ({ isError: false, output: expect.stringContaining(text) });

test('the tools have fixed names and arguments', async () => {
  await using box = await createToolbox({ 'a.md': 'a\n' });
  expect(box.tools.map(({ name, parameters }) => [name, Object.keys(parameters.properties ?? {})])).toEqual([
    ['list_files', ['path', 'titles']],
    ['read_file', ['path', 'offset', 'limit', 'heading']],
    ['search', ['pattern', 'path', 'exclude', 'ignore_case', 'context', 'output']],
    ['edit_file', ['path', 'edits']],
    ['replace_text', ['old_text', 'new_text', 'path', 'exclude', 'whole']],
    ['write_file', ['path', 'content']],
    ['delete_file', ['path', 'redirect_to']],
    ['move_file', ['from', 'to', 'heading', 'after', 'exclude']],
    ['check', ['all']],
  ]);
});

test('every request carries the prompt and the tools, so they are small, and say no more than a model needs', async () => {
  await using box = await createToolbox({});
  const finish = { ...finishTool, parameters: leaveOut(finishTool.parameters, ['subject', 'evidence']) };
  const sent = JSON.stringify(toResponsesTools([...box.tools, finish]));
  expect(sent).not.toMatch(/additionalProperties|maximum|explained|minimum|minLength|\$schema|anyOf/);
  expect(Buffer.byteLength(systemPrompt + sent)).toBeLessThan(5_000);
});

test('list_files narrows by folder and glob', async () => {
  await using box = await createToolbox({
    'README.md': '',
    'docs/a.md': '',
    'docs/b.mdx': '',
    'docs/img/c.png': '',
    'doc.md': '',
  });
  const list = async (args: object) => await box.lines('list_files', args);
  expect(await list({})).toEqual(['README.md', 'doc.md', 'docs/a.md', 'docs/b.mdx', 'docs/img/c.png']);
  expect(await list({ path: './docs/' })).toEqual(['docs/a.md', 'docs/b.mdx', 'docs/img/c.png']);
  expect(await list({ glob: '*.{md,mdx}' })).toEqual(['README.md', 'doc.md', 'docs/a.md', 'docs/b.mdx']);
  expect(await list({ path: 'docs', glob: 'img/*' })).toEqual(['docs/img/c.png']);
  expect(await box.call('list_files', { path: 'none' })).toEqual(error('no file or folder none'));
  expect(await box.call('list_files', { path: 'docs/a.md' })).toEqual(error('is a file'));
  expect(await box.call('list_files', { glob: '{a' })).toEqual(error('glob'));
  expect(await box.call('list_files', { glob: '*.rst' })).toEqual(ok('none of 5 files'));
});

test('list_files shows folders when there are too many files', async () => {
  const entries = Object.fromEntries(Array.from({ length: 30 }, (_, index) => [`docs/${index % 3}/${index}.md`, '']));
  await using box = await createToolbox({ ...entries, 'README.md': '' }, { maxFiles: 5 });
  expect((await box.lines('list_files', {})).slice(1)).toEqual([
    'README.md',
    'docs/0/ (10 files)',
    'docs/1/ (10 files)',
    'docs/2/ (10 files)',
  ]);
  const flat = Object.fromEntries(Array.from({ length: 9 }, (_, index) => [`${index}.md`, '']));
  await using other = await createToolbox(flat, { maxFiles: 5 });
  expect(await other.output('list_files', {})).toContain('... and 4 more');
});

test('read_file shows unchanged lines and says how to continue', async () => {
  const lines = Array.from({ length: 1_203 }, (_, index) => `line ${index + 1}`);
  await using box = await createToolbox(
    { 'a.md': `${lines.join('\n')}\n`, 'crlf.md': '\uFEFFone\r\ntwo\r\n', 'none.md': '' },
    // Lines 1 to 400, with their line breaks.
    { maxWholeCharacters: 5_000, maxFirstCharacters: 9 * 7 + 90 * 8 + 301 * 9 },
  );
  const first = await box.call('read_file', { path: 'a.md' });
  expect(
    first.output.startsWith('a.md: lines 1-400 of 1,203; call again with offset 401 to continue\n\nline 1\nline 2\n'),
  ).toBe(true);
  expect(first.output.endsWith('\nline 400')).toBe(true);
  expect(await box.output('read_file', { path: 'a.md', offset: 1_203, limit: 5 })).toBe(
    'a.md: lines 1,203-1,203 of 1,203\n\nline 1203',
  );
  expect(await box.call('read_file', { path: 'a.md', offset: 1_204 })).toEqual(error('only 1,203 lines'));
  expect(await box.output('read_file', { path: 'crlf.md' })).toBe('crlf.md: lines 1-2 of 2\n\none\ntwo');
  expect(await box.call('read_file', { path: 'none.md' })).toEqual(ok('empty'));
});

test('promise 9: read_file bounds each page, and says how to see the rest of a long line', async () => {
  await using box = await createToolbox(
    { 'long.md': `${'x'.repeat(1_999)}yzshort\nlast\n`, 'many.md': `${'y'.repeat(90)}\n`.repeat(50) },
    { maxWholeCharacters: 900, maxFirstCharacters: 1_000, maxPageCharacters: 2_000 },
  );
  const cut = await box.call('read_file', { path: 'long.md', offset: 1 });
  expect(cut.output).toBe(
    `long.md: lines 1-1 of 2; the line continues: call again with offset 1 and column 2001\n\n${'x'.repeat(1_999)}y`,
  );
  expect(await box.call('read_file', { path: 'long.md', offset: 1, column: 2_001 })).toEqual(
    ok('lines 1-2 of 2\n\nzshort\nlast'),
  );
  const many = await box.call('read_file', { path: 'many.md' });
  expect(many.output).toContain('lines 1-10 of 50; call again with offset 11');
});

test('read_file reads several files, within the room of one page', async () => {
  const page = (name: string) => `${name.repeat(400)}\n`;
  await using box = await createToolbox(
    { 'docs/a.md': page('a'), 'docs/b.md': page('b'), 'docs/c.md': page('c'), 'docs/{x,y}.md': 'braces\n' },
    { maxPageCharacters: 1_000 },
  );
  const both = {
    isError: false,
    output: `docs/a.md: lines 1-1 of 1\n\n${'a'.repeat(400)}\n\ndocs/b.md: lines 1-1 of 1\n\n${'b'.repeat(400)}`,
  };
  for (const path of ['docs/{a,b}.md', ['docs/a.md', 'docs/b.md']])
    expect(await box.call('read_file', { path })).toEqual(both);
  expect(await box.call('read_file', { paths: ['docs/a.md', 'docs/b.md'] })).toEqual(both);
  expect(await box.output('read_file', { path: 'docs/{c,a,b}.md' })).toMatch(
    /^no room for: docs\/b.md; read them by another call\n\ndocs\/c.md/,
  );
  expect(await box.call('read_file', { path: 'docs/{a,none}.md' })).toEqual(error('there is no file docs/none.md'));
  expect(await box.call('read_file', { path: 'docs/{x,y}.md' })).toEqual(ok('braces'));
});

test('a glob with [ that matches nothing is told what [ means', async () => {
  await using box = await createToolbox({ 'Docs/a.md': 'x\n', 'app/[slug]/page.md': 'x\n' });
  const hint = 'write {D,d} for [Dd]';
  const glob = '[Dd]ocs/*.md';
  expect(await box.call('list_files', { glob })).toEqual(ok(hint));
  expect(await box.call('search', { pattern: 'x', glob })).toEqual(ok(hint));
  expect(await box.call('search', { pattern: 'x', glob, output: 'files' })).toEqual(ok(hint));
  expect(await box.call('replace_text', { old_text: 'x', new_text: 'y', glob })).toEqual(error(hint));
  expect(await box.output('list_files', { glob: '{D,d}ocs/*.md' })).toBe('Docs/a.md');
  expect(await box.output('list_files', { glob: 'app/[slug]/*' })).toBe('app/[slug]/page.md');
});

test('read_file says why it cannot read a file and suggests similar paths', async () => {
  await using box = await createToolbox({
    'docs/guides/Install.md': 'x\n',
    'logo.png': new Uint8Array([0x89, 0]),
    'link.md': { mode: '120000', content: 'docs/guides/Install.md' },
  });
  expect(await box.call('read_file', { path: 'docs/install.md' })).toEqual(
    error('did you mean docs/guides/Install.md?'),
  );
  expect(await box.call('read_file', { path: 'docs/install.mdx' })).toEqual(
    error('did you mean docs/guides/Install.md?'),
  );
  expect(await box.call('read_file', { path: 'nothing.md' })).toEqual(error('list_files'));
  expect(await box.call('read_file', { path: 'logo.png' })).toEqual(error('not text'));
  expect(await box.call('read_file', { path: 'link.md' })).toEqual(error('a symbolic link'));
  expect(await box.call('read_file', { path: '/etc/passwd' })).toEqual(error('list_files'));
  expect(await box.call('read_file', { path: '/guides/install' })).toEqual(
    error('did you mean docs/guides/Install.md?'),
  );
  expect(await box.call('read_file', { path: 'docs' })).toEqual(error('folder'));
  expect(await box.call('read_file', '{"path": 5}')).toEqual(error('wrong arguments'));
  expect(await box.call('read_file', '{"path"')).toEqual(error('not valid JSON'));
});

test('of many files of one name, those in the same folders are suggested first', async () => {
  const files = ['a', 'b', 'c', 'd', 'e', 'f/guides', 'g/guides'].map((folder) => [`${folder}/index.md`, 'x\n']);
  await using box = await createToolbox(Object.fromEntries(files));
  expect(await box.call('read_file', { path: '/guides/index' })).toEqual(
    error('did you mean f/guides/index.md or g/guides/index.md or a/index.md'),
  );
});

test('search returns path, line and text, up to its limits', async () => {
  await using box = await createToolbox(
    { 'a.md': 'one\ntwo one\n', 'b.md': `${'one '.repeat(200)}\n` },
    { maxMatches: 2, maxFirstMatches: 1 },
  );
  const found = await box.call('search', { pattern: 'one' });
  expect(found.output.split('\n')).toEqual([
    '3 lines in 2 files match. Narrow with path, exclude or a longer pattern.',
    'a.md: 2',
    'b.md: 1',
    'The first 1:',
    'a.md:1: one',
  ]);
  expect(await box.output('search', { pattern: 'one', path: 'a.md' })).toBe('a.md\n1: one\n2: two one');
  expect(await box.output('search', { pattern: 'one', path: 'b.md' })).toMatch(/^b\.md:1: one .* \[\.\.\.\]$/);
  expect(await box.call('search', { pattern: 'three' })).toEqual(ok('no matches'));
  expect(await box.call('search', { pattern: 'ONE', path: 'a.md', ignore_case: true })).toEqual(ok('a.md\n1: one'));
  expect(await box.call('search', { pattern: '[' })).toEqual(error('pattern'));
  expect(await box.call('search', { pattern: 'x', path: 'none' })).toEqual(error('none'));
});

test('edit_file replaces text that occurs once', async () => {
  await using box = await createToolbox({ 'a.md': '# Title\n\none two\n\ntwo\n' });
  expect(await box.call('edit_file', { path: 'a.md', old_text: 'one two', new_text: 'one $& 2' })).toEqual(
    ok('line 3'),
  );
  expect(await box.read('a.md')).toBe('# Title\n\none $& 2\n\ntwo\n');
  expect(await box.call('edit_file', { path: 'a.md', old_text: '\n\ntwo', new_text: '' })).toEqual(ok('line 3'));
  expect(await box.read('a.md')).toBe('# Title\n\none $& 2\n');
});

test('edit_file makes several edits in order, all or none, and answers with their lines', async () => {
  await using box = await createToolbox({ 'a.md': '# Title\n\none\n\ntwo\n' });
  const one = { old_text: 'one', new_text: 'first\n\nsecond' };
  const two = { old_text: 'two', new_text: 'third' };
  const gone = { old_text: 'one', new_text: 'x' };
  expect(await box.call('edit_file', { path: 'a.md', edits: [one, two, gone] })).toEqual(
    error('edit 3 of 3, so nothing was changed: old_text is not in a.md'),
  );
  expect(await box.read('a.md')).toBe('# Title\n\none\n\ntwo\n');
  expect(await box.call('edit_file', { path: 'a.md', edits: [one, two] })).toEqual({
    isError: false,
    output: 'edited a.md at line 3; line 7',
  });
  expect(await box.read('a.md')).toBe('# Title\n\nfirst\n\nsecond\n\nthird\n');
  expect(await box.call('edit_file', { path: 'a.md', edits: [one], heading: 'Title' })).toEqual(
    error('edits[0].new_text'),
  );
  expect(await box.call('edit_file', { path: 'a.md', edits: [] })).toEqual(error('Too small'));
  expect(await box.call('edit_file', { path: 'a.md', old_text: 'first' })).toEqual(error('edits[0].new_text'));
});

test('edits of one call may replace sections, and a model may write them as a text or as one edit', async () => {
  await using box = await createToolbox({ 'a.md': '# Title\n\none\n\n## Two\n\ntwo\n' });
  const edits = [
    { old_text: 'one', new_text: '1' },
    { heading: 'Two', new_text: '## Three\n\nthree' },
  ];
  expect(await box.call('edit_file', { path: 'a.md', edits: JSON.stringify(edits) })).toEqual({
    isError: false,
    output: 'edited a.md at line 3; lines 5-7; now:\n3: 1\n4: \n5: ## Three\n6: \n7: three',
  });
  expect(await box.call('edit_file', { path: 'a.md', old_text: 'three', new_text: '3' })).toEqual(ok('line 7'));
  expect(await box.read('a.md')).toBe('# Title\n\n1\n\n## Three\n\n3\n');
});

test('edit_file asks for more context when the text occurs more than once, or replaces all occurrences', async () => {
  await using box = await createToolbox({ 'a.md': 'x\ny\nx\nx\n' });
  expect(await box.call('edit_file', { path: 'a.md', old_text: 'x', new_text: 'z' })).toEqual(
    error('3 times, at lines 1, 3, 4'),
  );
  expect(await box.read('a.md')).toBe('x\ny\nx\nx\n');
  expect(await box.call('edit_file', { path: 'a.md', old_text: 'x', new_text: 'z', replace_all: true })).toEqual(
    ok('lines 1, 3, 4'),
  );
  expect(await box.read('a.md')).toBe('z\ny\nz\nz\n');
});

test.each([
  ['indentation', '- a\n- nested item here', 'whitespace', '  - nested item here'],
  ['quotes', 'Say "hello" to the reader', 'punctuation', 'Say \u201chello\u201d to the reader'],
  ['letter case', 'a TITLE of some length', 'letter case', 'A title of some length'],
  ['a word', 'A caption of some length', 'nearest line is 1', 'A title of some length'],
])('edit_file shows the nearest lines when %s is wrong', async (_, oldText, hint, line) => {
  await using box = await createToolbox({
    'a.md': 'A title of some length\n\n- a\n  - nested item here\n\nSay \u201chello\u201d to the reader\n',
  });
  const result = await box.call('edit_file', { path: 'a.md', old_text: oldText, new_text: 'something else' });
  expect(result).toEqual(error(hint));
  expect(result.output).toContain(line);
});

test('edit_file says why a call would change nothing', async () => {
  await using box = await createToolbox({ 'a.md': 'The edit was made before.\n', 'package.json': '{}\n' });
  const edit = (path: string, oldText: string, newText: string) =>
    box.call('edit_file', { path, old_text: oldText, new_text: newText });
  expect(await edit('a.md', '', 'x')).toEqual(error('old_text is empty'));
  expect(await edit('a.md', 'x', 'x')).toEqual(error('the same'));
  expect(await edit('a.md', 'zzz', 'x')).toEqual(error('neither is similar text'));
  expect(await edit('a.md', 'The edit is to be made.', 'The edit was made before.')).toEqual(
    error('may already be done'),
  );
  expect(await edit('b.md', 'x', 'y')).toEqual(error('no file b.md'));
  expect(await edit('package.json', '{}', '{"a":1}')).toEqual(error('protected'));
});

test('a file with CRLF keeps CRLF, whichever line ends the model writes', async () => {
  await using box = await createToolbox({ 'crlf.md': 'one\r\ntwo\r\nthree\r\n', 'mixed.md': 'one\r\ntwo\nthree\n' });
  expect(await box.call('edit_file', { path: 'crlf.md', old_text: 'one\ntwo', new_text: 'one\n2\n2.5' })).toEqual(
    ok('line 1'),
  );
  expect(await box.read('crlf.md')).toBe('one\r\n2\r\n2.5\r\nthree\r\n');
  expect(await box.call('write_file', { path: 'crlf.md', content: 'new\ntext\n' })).toEqual(
    ok('replaced crlf.md (2 lines)'),
  );
  expect(await box.read('crlf.md')).toBe('new\r\ntext\r\n');
  expect(await box.call('edit_file', { path: 'mixed.md', old_text: 'two\nthree', new_text: '2\n3' })).toEqual(
    ok('line 2'),
  );
  expect(await box.read('mixed.md')).toBe('one\r\n2\n3\n');
});

test('write_file, delete_file and move_file change allowed files and refuse protected ones', async () => {
  await using box = await createToolbox({ 'a.md': 'a\n', 'docs/b.md': 'b\n', Makefile: 'all:\n' });
  expect(await box.call('write_file', { path: 'docs/new.md', content: 'x\ny' })).toEqual(
    ok('created docs/new.md (2 lines)'),
  );
  expect(await box.call('write_file', { path: 'Makefile', content: 'x' })).toEqual(error('protected'));
  expect(await box.call('write_file', { path: 'docs/nul.md', content: 'a\0b' })).toEqual(error('not text'));
  expect(await box.call('write_file', { path: 'docs/half.md', content: '\uD800' })).toEqual(error('not text'));
  expect(await box.call('delete_file', { path: 'a.md' })).toEqual(ok('deleted a.md'));
  expect(await box.call('delete_file', { path: 'a.md' })).toEqual(error('no file a.md'));
  expect(await box.call('delete_file', { path: 'Makefile' })).toEqual(error('protected'));
  expect(await box.call('move_file', { from: 'docs/b.md', to: 'docs/guides/b.md' })).toEqual(ok('moved'));
  expect(await box.call('move_file', { from: 'docs/b.md', to: 'c.md' })).toEqual(
    error('did you mean docs/guides/b.md?'),
  );
  expect(await box.call('move_file', { from: 'docs/new.md', to: 'docs/guides/b.md' })).toEqual(error('exists already'));
  expect(await box.call('move_file', { from: 'docs/new.md', to: 'CLAUDE.md' })).toEqual(error('protected'));
  expect([...box.workspace.writes().keys()]).toEqual(['a.md', 'docs/b.md', 'docs/guides/b.md', 'docs/new.md']);
});

test('the texts of the tools are ASCII, so that no output takes twice its size in memory', async () => {
  const line = `${'word '.repeat(600)}\n`;
  const files = Object.fromEntries(Array.from({ length: 30 }, (_, index) => [`page-${index}.md`, line.repeat(12)]));
  await using box = await createToolbox(files, {
    maxFiles: 5,
    maxMatches: 5,
    maxLineCharacters: 100,
    maxWholeCharacters: 100,
    maxFirstCharacters: 100,
  });
  const path = 'page-0.md';
  const outputs = [
    await box.call('list_files', {}),
    await box.call('read_file', { path }),
    await box.call('read_file', { path: 'page-99.md' }),
    await box.call('search', { pattern: 'word' }),
    await box.call('edit_file', { path, old_text: `${line}${line}`.replaceAll(' ', '\t'), new_text: 'x' }),
    await box.call('edit_file', { path, old_text: 'word word', new_text: 'x' }),
  ].map(({ output }) => output);
  const cut = outputs.filter((output) => output.includes('...'));
  expect(cut.length).toBeGreaterThanOrEqual(4);
  expect([...outputs, JSON.stringify(box.tools)].filter((text) => /[^\n\x20-\x7e]/.test(text))).toEqual([]);
});

test.each<[string, string, object, string]>([
  ['a folder in other letters', 'list_files', { path: 'Docs/Guide' }, 'did you mean docs/guide?'],
  [
    'a folder that has another parent',
    'search',
    { pattern: 'x', path: 'guide' },
    'no file or folder guide; did you mean docs/guide?',
  ],
  ['a class of letters', 'search', { pattern: 'x', path: '[Dd]ocs/**' }, 'write {D,d} for [Dd]'],
  ['an unknown path of check', 'check', { path: 'guides' }, 'no file or folder guides; call list_files'],
  ['a folder to read', 'read_file', { path: 'docs' }, 'give the path of a file in it'],
  [
    'a text in other letters',
    'replace_text',
    { old_text: 'set up', new_text: 'Install' },
    'docs/guide/a.md:5: Set-up it.',
  ],
])('%s is answered with what to do next', async (_mistake, name, args, expected) => {
  await using box = await createToolbox({ 'docs/guide/a.md': '# A\n\n## Set\u2011up \u2013 fast\n\nSet-up it.\n' });
  expect(await box.call(name, args)).toEqual(error(expected));
});

test('a file moves into a folder that is there', async () => {
  await using box = await createToolbox({ 'a.md': '# A\n', 'docs/b.md': '# B\n' });
  expect(await box.call('move_file', { from: 'a.md', to: 'docs/' })).toEqual(ok('moved a.md to docs/a.md'));
});

test('a heading is found with other dashes and quotation marks', async () => {
  await using box = await createToolbox({ 'a.md': '# A\n\n## Set\u2011up \u2013 \u201Cfast\u201D\n\nx\n' });
  expect(await box.call('read_file', { path: 'a.md', heading: '## Set-up - "fast"' })).toEqual(ok('x'));
});
