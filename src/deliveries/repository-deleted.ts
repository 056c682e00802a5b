import { findProjectByRepository } from '../store/projects.ts';
import type { EventHandler } from './event-handler.ts';
import { removeProject } from './remove-project.ts';

export const repositoryDeleted: EventHandler =
  async (_parts, { fields: { repository } }) =>
  async (store) => {
    const project = repository && (await findProjectByRepository(store.tx, repository.id));
    if (!project) return 'the repository is no project';
    await removeProject(store, project.project_id);
    return undefined;
  };
