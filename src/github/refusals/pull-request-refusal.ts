import { parseRefusal } from './read-refusal.ts';

/** Why GitHub refused a pull request with 422. `not_ready`: it does not see the pushed branch yet, which passes within seconds. */
export type PullRequestRefusal = 'exists' | 'no_commits' | 'draft_unsupported' | 'base_missing' | 'not_ready';

export function isTooNew(data: unknown): boolean {
  const { message, errors } = parseRefusal(data);
  return [message, ...errors.map((error) => error.message)].some((text) => /could not resolve to a node/i.test(text));
}

/** Some refusals have only `code: custom` and a text:
 * https://github.com/peter-evans/create-pull-request/blob/main/src/github-helper.ts (exists, unknown node),
 * https://github.com/cli/cli/issues/2691 and https://github.com/mislav/hub/issues/240 (no sha while the branch is not visible) */
export function findPullRequestRefusal(data: unknown): PullRequestRefusal | undefined {
  const { message, errors } = parseRefusal(data);
  const says = (text: RegExp) => [message, ...errors.map((error) => error.message)].some((line) => text.test(line));
  const names = (field: string, code: string) => errors.some((error) => error.field === field && error.code === code);
  const lacks = (end: 'head' | 'base') =>
    names(end, 'invalid') ||
    names(`${end}_sha`, 'missing_field') ||
    says(new RegExp(`${end} sha can['’]t be blank`, 'i'));

  if (says(/pull request already exists/i)) return 'exists';
  if (says(/draft pull requests are not supported/i)) return 'draft_unsupported';
  // While the head is not visible, GitHub also reports a missing base and no commits.
  if (lacks('head') || isTooNew(data)) return 'not_ready';
  if (lacks('base')) return 'base_missing';
  if (says(/no commits between/i)) return 'no_commits';
  return undefined;
}
