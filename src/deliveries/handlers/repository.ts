import { isProjectGone } from '../../projects/is-project-gone.ts';
import { type EventHandler, ignoredBecause } from '../delivery-context.ts';
import { refreshProject } from '../reconcile/refresh-settings.ts';
import { removeProject } from '../reconcile/remove-project.ts';
import { installationChanged } from './installation.ts';

export const pushed: EventHandler = async (context) => {
  const project = await context.findProject();
  return project ? refreshProject(context, project, context.signal) : ignoredBecause.noProject;
};

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
