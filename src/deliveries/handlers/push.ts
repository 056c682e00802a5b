import { z } from 'zod';
import { GitHubRefusal } from '../../github/refusals/github-refusal.ts';
import { settingsPath } from '../../repository/settings.ts';
import { listDependentProjects } from '../../store/tables/repositories/context-repositories.ts';
import { type Apply, ignoredBecause } from '../delivery-context.ts';
import { defineEvent, type EventHandler } from '../github-event.ts';
import { textsWithPrefix } from '../kept-fields.ts';
import { fieldsOf } from '../payload.ts';
import { refreshProject } from '../reconcile/refresh-settings.ts';

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

export const push = defineEvent({
  name: 'push',
  fields: {
    repository: fieldsOf.repository,
    ref: z.string(),
    forced: z.boolean().default(false),
    commits: z.array(z.object({ added: paths, modified: paths, removed: paths })).default([]),
  },
  handle: settingsChanged,
  findDropReason({ ref, repository, forced, commits }) {
    if (ref !== `refs/heads/${repository.default_branch}`) return 'not the default branch';
    // A forced push does not list what went away.
    if (forced || commits.length >= maxListedCommits) return undefined;
    const isChanged = commits.some(({ added, modified, removed }) =>
      [added, modified, removed].some((listed) => listed?.includes(settingsPath) ?? true),
    );
    return isChanged ? undefined : 'the settings file did not change';
  },
});
