import { z } from 'zod';
import { GitHubRefusal } from '../../github/refusals/github-refusal.ts';
import { parseQueueBranch, stripBranchPrefix } from '../../repository/is-branch-name.ts';
import { readStoredSettings, settingsPath } from '../../repository/settings.ts';
import { listDependentProjects } from '../../store/tables/repositories/context-repositories.ts';
import { type Apply, type DeliveryContext, ignoredBecause } from '../delivery-context.ts';
import { defineEvent, type EventHandler, textsWithPrefix } from '../github-event.ts';
import { type CommonFields, fieldsOf } from '../payload.ts';
import { refreshProject } from '../reconcile/refresh-settings.ts';
import { mayBeChecked, requestCheck } from '../request-check.ts';

/** The most that GitHub lists: https://docs.github.com/en/webhooks/webhook-events-and-payloads#push */
const maxListedCommits = 2048;
const paths = textsWithPrefix(settingsPath).optional();

/** The settings of a repository also say which other projects it may trigger. */
export const settingsChanged: EventHandler = async (context) => {
  const { database, signal } = context;
  const project = await context.findProject();
  if (!project) return ignoredBecause.noProject;
  const halves = [await refreshProject(context, project, signal)];
  for (const dependent of await listDependentProjects(database, project.repository_id))
    halves.push(...(await unlessRefused(refreshProject(context, dependent, signal))));
  return async (store) => {
    for (const half of halves) await half(store);
    return undefined;
  };
};

/** Another project's repository may be gone. */
async function unlessRefused(refreshed: Promise<Apply>): Promise<Apply[]> {
  try {
    return [await refreshed];
  } catch (error) {
    if (error instanceof GitHubRefusal) return [];
    throw error;
  }
}

/** A rule that requires the check requires it of what a merge queue wants to merge, too. */
async function queueChanged(
  { fields: { ref, after }, findProject }: DeliveryContext<CommonFields & { ref: string; after?: string | undefined }>,
  { number }: { number: number },
): Promise<Apply | string> {
  const project = await findProject();
  if (!project || readStoredSettings(project.settings).checks !== 'require') return 'nobody requires the check';
  const head = { number, sha: after, base: stripBranchPrefix(ref) };
  return async (store) => ((await requestCheck(store, project.project_id, head)) ? undefined : 'asked for before');
}

export const push = defineEvent({
  name: 'push',
  fields: {
    repository: fieldsOf.repository,
    ref: z.string(),
    after: z.string().optional(),
    deleted: z.boolean().default(false),
    forced: z.boolean().default(false),
    commits: z.array(z.object({ added: paths, modified: paths, removed: paths })).default([]),
  },
  handle: async (context) => {
    const queued = parseQueueBranch(stripBranchPrefix(context.fields.ref));
    return queued ? queueChanged(context, queued) : settingsChanged(context);
  },
  findDropReason({ ref, repository, forced, deleted, commits }) {
    if (parseQueueBranch(stripBranchPrefix(ref))) return deleted ? 'the branch is gone' : undefined;
    if (ref !== `refs/heads/${repository.default_branch}`) return 'not the default branch';
    // A forced push does not list what went away.
    if (forced || commits.length >= maxListedCommits) return undefined;
    const isChanged = commits.some(({ added, modified, removed }) =>
      [added, modified, removed].some((listed) => listed?.includes(settingsPath) ?? true),
    );
    return isChanged ? undefined : 'the settings file did not change';
  },
  isWanted: async (database, fields) =>
    parseQueueBranch(stripBranchPrefix(fields.ref)) === undefined || (await mayBeChecked(database, fields)),
});
