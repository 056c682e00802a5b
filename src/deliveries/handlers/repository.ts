import { isProjectGone } from '../../projects/is-project-gone.ts';
import type { EventHandler } from '../delivery-context.ts';
import { reconcileInstallation } from '../reconcile/reconcile-installation.ts';
import { refreshProject } from '../reconcile/refresh-settings.ts';
import { removeProject } from '../reconcile/remove-project.ts';
import { installationIdOf } from './installation.ts';

const noProject = 'the repository is no project';

/** A repository was renamed or transferred. GitHub is asked about this one repository only: an account may have thousands. */
export const repositoryChanged: EventHandler = (context) => {
  const installationId = installationIdOf(context);
  const repositoryId = context.fields.repository?.id;
  return reconcileInstallation(context, { installationId, repositoryId }, context.signal);
};

/** A push to the default branch may have changed the settings. */
export const pushed: EventHandler = async (context) => {
  const project = await context.findProject();
  return project ? refreshProject(context, project, context.signal) : noProject;
};

/** The default branch changed, and with it perhaps the settings. */
export const repositoryEdited: EventHandler = async (context) => {
  const halves = [await repositoryChanged(context), await pushed(context)];
  return async (store) => {
    for (const half of halves) if (typeof half !== 'string') await half(store);
    return undefined;
  };
};

/** A repository was deleted. GitHub is asked to confirm it: the delivery may be old, and a repository can be restored. */
export const repositoryDeleted: EventHandler = async (context) => {
  const { github, signal } = context;
  const project = await context.findProject();
  if (!project) return noProject;
  if (!(await isProjectGone(github, project, { signal }))) return 'the repository may be in reach';
  return async (store) => {
    await removeProject(store, project);
    return undefined;
  };
};
