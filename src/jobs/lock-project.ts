import type { Tx } from '../store/database.ts';
import type { Project } from '../store/projects.ts';

/** The project, unless its repository or installation is gone; it cannot be removed before the transaction ends. */
export function lockProject(tx: Tx, projectId: string): Promise<Project | undefined> {
  return tx
    .selectFrom('projects')
    .selectAll()
    .where('project_id', '=', projectId)
    .where('removed_at', 'is', null)
    .forShare()
    .executeTakeFirst();
}
