import type { CommonFields, PullRequestPayload, Written } from './payload.ts';

/** A webhook of a repository or an organization with the same URL and secret sends these events, too. */
export const unlessInstalled = ({ installation }: CommonFields): string | undefined =>
  installation ? undefined : 'not of an installation';

/** A fork may have a branch with the name of a job's branch. */
export const ifFromFork = (
  { repository }: CommonFields,
  pullRequest: PullRequestPayload | undefined,
): string | undefined =>
  pullRequest && pullRequest.head.repo?.id !== repository?.id ? 'from another repository' : undefined;

/** Only people give instructions. */
export function unlessByPerson({ comment, review, sender }: Written): string | undefined {
  const writer = (comment ?? review)?.user;
  if (writer?.type !== 'User' || sender?.type !== 'User') return 'not written by a person';
  // Nobody can verify the author of a text that an App posts for a person.
  if (comment?.performed_via_github_app) return 'posted through an App';
  return undefined;
}
