import { expect, test } from 'vitest';
import { readSettingsYaml } from '../../src/repository/settings-yaml.ts';

test.each<[string, string]>([
  ['lists', `a: ${'['.repeat(5_000)}${']'.repeat(5_000)}`],
  ['lists that never end', '['.repeat(10_000)],
  ['maps', '{'.repeat(10_000)],
  ['dashes', '- '.repeat(10_000)],
  ['keys', '? '.repeat(10_000)],
])('a file of %s that nest too deeply is a problem in plain words', (_name, text) => {
  expect(readSettingsYaml(text)).toEqual({ entries: [], problems: ['Line 1 is not valid YAML: it nests too deeply'] });
});
