import { findProjectByRepository } from '../../store/tables/projects.ts';
import type { EventHandler } from '../event-handler.ts';
import { refreshProject } from '../reconcile/refresh-settings.ts';

/** The settings on the default branch may have changed. */
export const pushed: EventHandler = async (parts, { fields: { repository }, signal }) => {
  const project = repository && (await findProjectByRepository(parts.database, repository.id));
  if (!project || project.removed_at) return 'the repository is no project';
  return refreshProject(parts, project, signal);
};
