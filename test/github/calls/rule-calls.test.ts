import nock from 'nock';
import { describe, expect, test } from 'vitest';
import { Parked } from '../../../src/errors.ts';
import { GitHubUnavailable } from '../../../src/github/refusals/errors.ts';
import { createClient } from '../create-client.ts';

const repository = () => nock('https://api.github.com');
const docs = '/repos/acme/docs';

describe('the rules for a branch', () => {
  const path = (page: number) => `${docs}/rules/branches/pagewright%2Fx?page=${page}&per_page=100`;
  const list = () => createClient().listBranchRules('pagewright/x');

  test('are listed from all pages, including unknown types', async () => {
    const source = { ruleset_source_type: 'Organization', ruleset_source: 'acme', ruleset_id: 12 };
    const pattern = { operator: 'starts_with', pattern: 'docs/' };
    repository()
      .get(path(1))
      .reply(200, [{ type: 'required_signatures', ...source }], {
        link: '<https://api.github.com/x?page=2>; rel="next"',
      });
    repository()
      .get(path(2))
      .reply(200, [{ type: 'branch_name_pattern', parameters: pattern, ...source }, { type: 'of_tomorrow' }]);
    expect(await list()).toEqual([
      { type: 'required_signatures', parameters: {}, rulesetId: 12 },
      { type: 'branch_name_pattern', parameters: pattern, rulesetId: 12 },
      { type: 'of_tomorrow', parameters: {}, rulesetId: null },
    ]);
  });

  test.each([
    ['the server does not support rulesets', 404, 'Not Found'],
    ['the plan has none', 403, 'Upgrade to GitHub Pro or make this repository public to enable this feature.'],
  ])('are empty when %s', async (_name, status, message) => {
    repository().get(path(1)).reply(status, { message });
    expect(await list()).toEqual([]);
  });

  test('are not empty when the App lacks the permission', async () => {
    const headers = { 'x-accepted-github-permissions': 'metadata=read' };
    repository().get(path(1)).reply(403, { message: 'Resource not accessible by integration' }, headers);
    await expect(list()).rejects.toMatchObject({ reason: 'permission_missing' });
  });

  test('are not empty while GitHub is down', async () => {
    repository().get(path(1)).times(3).reply(500);
    await expect(list()).rejects.toBeInstanceOf(GitHubUnavailable);
  });

  test('are not empty during a rate limit', async () => {
    repository().get(path(1)).reply(403, {}, { 'retry-after': '10' });
    await expect(list()).rejects.toBeInstanceOf(Parked);
  });
});

describe('a ruleset', () => {
  const path = `${docs}/rulesets/12?includes_parents=true`;

  test.each([
    ['always', true],
    ['exempt', true],
    ['pull_requests_only', false],
    ['never', false],
    ['an unknown value', undefined],
    [undefined, undefined],
  ])('that the App may bypass: %s', async (current_user_can_bypass, expected) => {
    repository().get(path).reply(200, { id: 12, name: 'signed', current_user_can_bypass });
    expect(await createClient().canBypassRuleset(12)).toBe(expected);
  });

  test('throws while the installation is suspended', async () => {
    const suspended = { message: 'This installation has been suspended' };
    repository().get(path).reply(403, suspended);
    await expect(createClient().canBypassRuleset(12)).rejects.toMatchObject({ reason: 'installation_suspended' });
  });

  test.each([403, 404])('is unknown when GitHub answers %i', async (status) => {
    repository().get(path).reply(status, { message: 'no' });
    expect(await createClient().canBypassRuleset(12)).toBeUndefined();
  });
});
