import { expect, test } from 'vitest';
import { chooseReferences } from '../../../src/runs/publish/outgoing.ts';

type Input = Parameters<typeof chooseReferences>[0];
const nothing: Input = { subjects: ['Add a page', 'Fix a link (#1)', 'Say 90 (#2)'], prompts: ['Say 90.'] };

test.each<[string, Partial<Input>, ReturnType<typeof chooseReferences>]>([
  ['nothing where nobody has references', {}, []],
  ['what people named', { prompts: ['See #12 and acme/api#3, a#4, #5x', '(#6)'] }, [12, 6]],
  ['all where subjects end with one', { subjects: ['A (#1)', 'B (#2)', 'C (#3)', 'D'] }, 'all'],
  ['all where the template has a place for one', { template: '## What\n\nCloses #\n' }, 'all'],
  ['all where the template shows one', { template: '- Related: (#123)\n' }, 'all'],
  ['nothing for the headings of a template', { template: '# What\n\n## Why\n' }, []],
])('texts may refer to %s', (_name, input, expected) => {
  expect(chooseReferences({ ...nothing, ...input })).toEqual(expected);
});
