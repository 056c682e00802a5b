import { parseRefusal } from './read-refusal.ts';

/**
 * Why GitHub refused a pull request with 422. `not_ready`: it does not see the pushed branch yet, which passes within seconds.
 * `no_commits`: the branch adds nothing to its base. `undefined`: anything else.
 */
export type PullRequestRefusal = 'exists' | 'no_commits' | 'draft_unsupported' | 'base_missing' | 'not_ready';

/** Whether a 422 says that GitHub does not know yet what was just created, as when something is written on a new pull request. */
export function isTooNew(data: unknown): boolean {
  const { message, errors } = parseRefusal(data);
  return [message, ...errors.map((error) => error.message)].some((text) => /could not resolve to a node/i.test(text));
}

/**
 * Reads the body of that 422. Where GitHub names a field and a code, they decide; for the rest it has only `code: custom` and a text, so
 * this is the one place that reads those texts, as they have been seen:
 * https://github.com/peter-evans/create-pull-request/blob/main/src/github-helper.ts (exists, unknown node)
 * https://github.com/cli/cli/issues/2691 and https://github.com/mislav/hub/issues/240 (no sha while the branch is not visible)
 */
export function findPullRequestRefusal(data: unknown): PullRequestRefusal | undefined {
  const { message, errors } = parseRefusal(data);
  const says = (text: RegExp) => [message, ...errors.map((error) => error.message)].some((given) => text.test(given));
  const names = (field: string, code: string) => errors.some((error) => error.field === field && error.code === code);
  const lacks = (end: 'head' | 'base') =>
    names(end, 'invalid') ||
    names(`${end}_sha`, 'missing_field') ||
    says(new RegExp(`${end} sha can['’]t be blank`, 'i'));

  if (says(/pull request already exists/i)) return 'exists';
  if (says(/draft pull requests are not supported/i)) return 'draft_unsupported';
  // While the head is not visible, GitHub says of the base too that it is missing, and that there are no commits: so the head comes first.
  if (lacks('head') || isTooNew(data)) return 'not_ready';
  if (lacks('base')) return 'base_missing';
  if (says(/no commits between/i)) return 'no_commits';
  return undefined;
}
