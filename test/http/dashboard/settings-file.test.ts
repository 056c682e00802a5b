import { expect, test } from 'vitest';
import {
  changeSettingsFile,
  readSettingsFile,
  type WantedSettings,
} from '../../../src/http/dashboard/settings/settings-file.ts';
import { readWanted } from '../../../src/http/dashboard/settings/settings-form.ts';

const cases: [name: string, before: string, wanted: WantedSettings, after: string][] = [
  ['a setting is added to no file', '', { draft: true }, 'draft: true\n'],
  [
    'comments and other settings stay',
    '# Ours\nbase: main # here\n',
    { draft: true },
    '# Ours\nbase: main # here\ndraft: true\n',
  ],
  [
    'a setting gets another value in its place',
    'draft: true\nbase: main\n',
    { base: 'next' },
    'draft: true\nbase: next\n',
  ],
  ['the default removes a setting', 'draft: true\nbase: main\n', { draft: false }, 'base: main\n'],
  ['the last setting leaves an empty file', 'draft: true\n', { draft: false }, '# The defaults apply.\n'],
  ['a text of several lines is readable', '', { instructions: 'One.\nTwo.' }, 'instructions: |-\n  One.\n  Two.\n'],
  [
    'a text that looks like something else is quoted',
    '',
    { labels: ['true', '1.0'] },
    'labels:\n  - "true"\n  - "1.0"\n',
  ],
  [
    'a mistake is mended, and what it made careful is not written',
    'labels: 5\nbase: next\n',
    { ...readSettingsFile('labels: 5\nbase: next\n').readable, labels: ['docs'] },
    'labels:\n  - docs\nbase: next\n',
  ],
  [
    'an unknown setting of a broken file is not the form’s',
    'paths: []\n',
    { paths: null, draft: true },
    'draft: true\n',
  ],
];
test.each(cases)('%s', (_name, text, wanted, after) => {
  expect(changeSettingsFile({ text, wanted })).toMatchObject({ kind: 'changed', text: after });
});

test('nothing changes if all of it is as wanted', () => {
  expect(changeSettingsFile({ text: 'draft: true\n', wanted: { draft: true, base: null } })).toEqual({
    kind: 'unchanged',
  });
});

const refused: [name: string, text: string, wanted: WantedSettings, problem: string][] = [
  ['YAML that nobody can read', 'a: [', { draft: true }, 'is not valid YAML'],
  ['a mistake beside the change', 'colour: red\n', { draft: true }, '`colour` is not a setting'],
  ['a value that is not allowed', '', { base: 'no..branch' }, '`base` must be a valid branch name'],
];
test.each(refused)('%s is refused', (_name, text, wanted, problem) => {
  const changed = changeSettingsFile({ text, wanted });
  expect(changed).toMatchObject({ kind: 'refused', problems: [expect.stringContaining(problem)] });
});

test('a form is read as the file would have it', () => {
  const form = new URLSearchParams({
    base: ' next ',
    labels: 'docs\n\n api ',
    draft: 'on',
    comments: 'mention',
    paths: '',
  });
  expect(readWanted(form)).toMatchObject({
    ...{
      base: 'next',
      labels: ['docs', 'api'],
      draft: true,
      comments: 'mention',
      paths: null,
      also: [],
      sign_off: false,
    },
    ...{ model: null, instructions: null, quote: null },
  });
});

test('each setting has its line', () => {
  expect(readSettingsFile('\ndraft: true\n\nlabels:\n  - a\n').lines).toEqual({ draft: 2, labels: 4 });
});
