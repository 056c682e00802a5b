import { expect, test } from 'vitest';
import { describeChange } from '../../src/automations/judge-occasions.ts';

test.each([
  ['Copilot, whose name has no brackets', { author: 'Copilot', isByBot: true }, true],
  ['a person', { author: 'rita', isByBot: false }, false],
])('a pull request of %s says whether a bot wrote it, so that nobody asks a bot for a review', (_, by, isBot) => {
  const texts = { reference: 'acme/api#12', url: 'https://github.com/acme/api/pull/12', title: 'Raise it', body: '' };
  const place = { repositoryId: 1, number: 12, base: 'main', headSha: 'a'.repeat(40), files: [], more: 0 };
  const subject = describeChange({ kind: 'found', state: 'merged', ...texts, ...place, ...by });
  expect(subject).toMatchObject({ repository: 'acme/api', author: { login: by.author, isBot } });
});
