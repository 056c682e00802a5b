import { findProjectByRepository } from '../store/projects.ts';
import type { EventHandler } from './event-handler.ts';
import { removeProject } from './remove-project.ts';

export const repositoryDeleted: EventHandler =
  async (_parts, { repository }) =>
  async (tx) => {
    const project = repository && (await findProjectByRepository(tx, repository.id));
    if (!project) return 'the repository is no project';
    await removeProject(tx, project.project_id);
    return undefined;
  };
