import { expect, test } from 'vitest';
import { chooseSubject } from '../../../src/runs/publish/write-change.ts';

const long = 'This sentence about the limits of requests is far too long for the subject of a commit.';

test.each<[string, { subject?: string; title?: string; summary: string }, string]>([
  ['the agent’s own', { subject: 'Raise the limit', summary: 'It is 100.' }, 'Raise the limit'],
  ['the first sentence of the summary', { summary: 'It is 100. More.', title: 'Limits' }, 'It is 100.'],
  ['the title, where the sentence is too long', { summary: long, title: 'Raise the limit' }, 'Raise the limit'],
  ['the cut sentence, where nothing is short', { summary: long }, `${long.slice(0, 71)}…`],
])('the subject of a later commit: %s', (_name, answer, expected) => {
  expect(chooseSubject(answer)).toBe(expected);
});
