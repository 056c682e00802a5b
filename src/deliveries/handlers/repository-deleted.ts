import { isProjectGone } from '../../projects/is-project-gone.ts';
import { findProjectByRepository } from '../../store/tables/projects.ts';
import type { EventHandler } from '../event-handler.ts';
import { removeProject } from '../reconcile/remove-project.ts';

/** A repository was deleted. GitHub is asked, because the delivery may be old and a repository can be restored. */
export const repositoryDeleted: EventHandler = async ({ database, github }, { fields: { repository }, signal }) => {
  const project = repository && (await findProjectByRepository(database, repository.id));
  if (!project || project.removed_at) return 'the repository is no project';
  if (!(await isProjectGone(github, project, { signal }))) return 'the repository may be in reach';
  return async (store) => {
    await removeProject(store, project);
    return undefined;
  };
};
