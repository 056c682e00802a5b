import { readStoredSettings } from '../repository/settings.ts';
import type { Database } from '../store/postgres/database.ts';
import { hasAutomationOf } from '../store/tables/automations/automations.ts';
import { hasJobOfPullRequest } from '../store/tables/jobs/jobs.ts';
import { findProjectByRepository } from '../store/tables/repositories/projects.ts';
import type { AboutPullRequest, CommonFields, Written } from './payload.ts';

/** Whether the delivery's pull request may belong to a job. A comment on the conversation does not carry the branch. */
export const mayConcernJob = async (
  database: Database,
  { repository, pull_request: pullRequest, issue }: AboutPullRequest,
): Promise<boolean> => {
  const number = pullRequest?.number ?? issue?.number;
  if (!repository || number === undefined) return false;
  return hasJobOfPullRequest(database, { repositoryId: repository.id, number, branch: pullRequest?.head.ref });
};

/** Whether an automation follows the delivery's repository. */
export const mayTrigger = async (database: Database, { repository }: CommonFields): Promise<boolean> =>
  repository !== undefined && (await hasAutomationOf(database, repository.id));

/** Whether a text may mention the App, in the repository of a project. The name of the App is not known here. */
export const mayMention = async (
  database: Database,
  { repository }: CommonFields,
  body: string | null | undefined,
): Promise<boolean> => {
  if (!repository || !body?.includes('@')) return false;
  const project = await findProjectByRepository(database, repository.id);
  return project?.removed_at === null && readStoredSettings(project.settings).mentions === 'all';
};

/** A webhook of a repository or an organization with the same URL and secret sends these events, too. */
export const unlessInstalled = ({ installation }: CommonFields): string | undefined =>
  installation ? undefined : 'not of an installation';

/** A fork may have a branch with the name of a job's branch. */
export const ifFromFork = ({ repository, pull_request: theirs }: AboutPullRequest): string | undefined =>
  theirs && theirs.head.repo?.id !== repository?.id ? 'from another repository' : undefined;

/** Only people give instructions. */
export function unlessByPerson({ comment, review, sender }: Written): string | undefined {
  const writer = (comment ?? review)?.user;
  if (writer?.type !== 'User' || sender?.type !== 'User') return 'not written by a person';
  // Nobody can verify the author of a text that an App posts for a person.
  if (comment?.performed_via_github_app) return 'posted through an App';
  return undefined;
}
