import { GitHubRefusal } from '../../github/refusals/github-refusal.ts';
import { isProjectGone } from '../../projects/is-project-gone.ts';
import { listDependentProjects } from '../../store/tables/repositories/context-repositories.ts';
import { type Apply, type EventHandler, ignoredBecause } from '../delivery-context.ts';
import { refreshProject } from '../reconcile/refresh-settings.ts';
import { removeProject } from '../reconcile/remove-project.ts';
import { installationChanged } from './installation.ts';

/** The settings of a repository also say which other projects it may trigger. */
export const pushed: EventHandler = async (context) => {
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

export const repositoryEdited: EventHandler = async (context) => {
  const halves = [await installationChanged(context), await pushed(context)];
  return async (store) => {
    for (const half of halves) if (typeof half === 'function') await half(store);
    return undefined;
  };
};

/** Asks GitHub to confirm: the delivery may be old, and a repository can be restored. */
export const repositoryDeleted: EventHandler = async (context) => {
  const { github, signal } = context;
  const project = await context.findProject();
  if (!project) return ignoredBecause.noProject;
  if (!(await isProjectGone(github, project, { signal }))) return 'the repository still exists';
  return async (store) => {
    await removeProject(store, project);
    return undefined;
  };
};
