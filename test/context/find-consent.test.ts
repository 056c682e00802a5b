import { expect, test } from 'vitest';
import { findConsent } from '../../src/context/find-consent.ts';
import type { Repository, Visibility } from '../../src/github/calls/repository.ts';
import { parseSettings } from '../../src/repository/settings.ts';

const describe = (fullName: string, visibility: Visibility): Repository => {
  const [owner = '', repo = ''] = fullName.split('/');
  const facts = { defaultBranch: 'main', archived: false, disabled: false, hasPullRequests: true, bytes: 1 };
  return { repositoryId: 1, owner, repo, fullName, isPrivate: visibility !== 'public', visibility, ...facts };
};

const line = 'documentation: acme/docs';
const publicLine = 'documentation: {repository: acme/docs, public: true}';

test.each<[string, string, Visibility, Visibility, string]>([
  ['no settings', '', 'public', 'public', 'no_consent'],
  ['the line', line, 'public', 'public', 'ready'],
  ['the line in a list', 'documentation: [acme/site, acme/docs]', 'private', 'private', 'ready'],
  ['another letter case', 'documentation: Acme/Docs', 'public', 'public', 'ready'],
  ['another repository', 'documentation: acme/site', 'public', 'public', 'no_consent'],
  ['its former name', 'documentation: acme/handbook', 'public', 'public', 'ready'],
  ['a mistake in the file', `${line}\ncolour: red`, 'public', 'public', 'settings_invalid'],
  ['a public repository beside a private one', line, 'public', 'private', 'ready'],
  ['a private repository beside a public one', line, 'private', 'public', 'not_public'],
  ['an internal repository beside a public one', line, 'internal', 'public', 'not_public'],
  ['a private repository beside an internal one', line, 'private', 'internal', 'not_public'],
  ['an internal repository beside a private one', line, 'internal', 'private', 'ready'],
  ['a private one that may be public', publicLine, 'private', 'public', 'ready'],
  ['a former name that may be public', publicLine.replace('docs', 'handbook'), 'private', 'public', 'ready'],
])('promise 37: with %s, the repository is %4$s', async (_name, file, own, others, expected) => {
  const consent = await findConsent(describe('acme/api', own), parseSettings(file), {
    documentation: describe('acme/docs', others),
    isNameOf: async (name) => name === 'acme/handbook',
  });
  expect(consent.state).toBe(expected);
});

test('a refusal names the repository, the file and the line that is missing', async () => {
  const ask = async (file: string, visibility: Visibility) => {
    const documentation = describe('acme/docs', 'public');
    const asked = { documentation, isNameOf: async () => false };
    const consent = await findConsent(describe('acme/api', visibility), parseSettings(file), asked);
    return consent.state === 'ready' ? undefined : consent.problem;
  };
  expect(await ask('', 'public')).toBe(
    'acme/api is not read, because .github/pagewright.yml of acme/api does not name this repository. Add the line `documentation: acme/docs` to it on the default branch.',
  );
  expect(await ask(line, 'private')).toBe(
    'acme/api is not read, because it is private, and acme/docs is public. If what it holds may be published, write `documentation: {repository: acme/docs, public: true}` in .github/pagewright.yml of acme/api on the default branch.',
  );
  expect(await ask('draft: maybe', 'public')).toContain('.github/pagewright.yml of acme/api has mistakes');
});
