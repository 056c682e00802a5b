import { expect, test } from 'vitest';
import { describeRule, findRuleScope } from '../../src/runs/prepare/read-writing-rules.ts';

test.each<[string, string, 'always' | 'sometimes' | 'never']>([
  ['that always applies', 'alwaysApply: true\nglobs: "*.ts"', 'always'],
  ['for all pages', 'globs: **/*.mdx\nalwaysApply: false', 'always'],
  ['for all pages of a folder', 'globs: docs/**/*.mdx\nalwaysApply: false', 'always'],
  ['for pages, as a list', 'globs:\n  - "*.ts"\n  - "*.md"', 'always'],
  ['for pages of two kinds', 'globs: "**/*.{md,mdx}"', 'always'],
  ['for a folder', 'globs: docs/**', 'always'],
  ['of Copilot for everything', 'applyTo: "**"', 'always'],
  ['of Copilot for pages', "applyTo: 'src/**/*.ts,docs/**/*.md'", 'always'],
  ['for some folders of pages', 'globs: **/examples/*.mdx,**/**/examples/*.mdx\nalwaysApply: false', 'sometimes'],
  ['that an agent chooses', 'description: When you write tests\nglobs:\nalwaysApply: false', 'sometimes'],
  ['for code', 'description: Types\nglobs: "*.ts,*.tsx"\nalwaysApply: false', 'never'],
  ['for code of two kinds', 'globs: "**/*.{ts,tsx}"', 'never'],
  ['of Copilot for code', 'applyTo: "**/*.py"', 'never'],
  ['that only a person names', 'globs:\nalwaysApply: false', 'never'],
])('a rule %s applies %s', (_name, front, expected) => {
  expect(findRuleScope(`---\n${front}\n---\n\nBe brief.\n`)).toBe(expected);
});

test('a rule without front matter always applies', () => {
  expect(findRuleScope('Be brief.\n')).toBe('always');
});

test('a rule is described by its description and its files', () => {
  expect(describeRule('---\ndescription: Examples\nglobs: **/examples/*.mdx\n---\n')).toBe(
    'Examples (for **/examples/*.mdx)',
  );
  expect(describeRule('# Rules\n')).toBe('');
});
