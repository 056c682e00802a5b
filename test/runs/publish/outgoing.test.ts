import { expect, test } from 'vitest';
import { defaultSettings } from '../../../src/repository/settings.ts';
import type { Guidance } from '../../../src/runs/checkout.ts';
import { hideUnquotable, quotesApi } from '../../../src/runs/publish/outgoing.ts';

const repository = { repositoryId: 1, owner: 'acme', repo: 'docs', fullName: 'acme/docs', defaultBranch: 'main' };
const state = { archived: false, disabled: false, hasPullRequests: true, bytes: 0 };
const guidance: Guidance = {
  settings: defaultSettings,
  problems: [],
  writingRules: [],
  unread: [],
  pullRequestTemplate: undefined,
  sources: [],
};

test.each<[boolean, 'always' | 'never' | null, boolean]>([
  [false, null, false],
  [true, null, true],
  [false, 'always', true],
  [true, 'always', true],
  [false, 'never', false],
  [true, 'never', false],
])('promise 34: private %s and `quote: %s` quote instructions by API: %s', (isPrivate, quote, expected) => {
  const checkout = {
    repository: { ...repository, ...state, isPrivate, visibility: 'private' as const },
    guidance: { ...guidance, settings: { ...defaultSettings, quote } },
  };
  expect(quotesApi(checkout)).toBe(expected);
});

test('promise 34: only comments and reviews, which are public anyway, are quoted without that', () => {
  const messages = (['api', 'dashboard', 'comment', 'review'] as const).map((source) => ({ source, prompt: 'Do it.' }));
  expect(hideUnquotable(messages, { quotesApi: false }).map(({ prompt }) => prompt)).toEqual([
    ...[null, null, 'Do it.', 'Do it.'],
  ]);
  expect(hideUnquotable(messages, { quotesApi: true })).toEqual(messages);
});
