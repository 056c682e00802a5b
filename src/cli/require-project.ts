import type { Database } from '../store/postgres/database.ts';
import { findProjectByName } from '../store/tables/repositories/projects.ts';

/** The id of the repository's project. Throws an error for the operator if there is none. */
export async function requireProject(
  database: Database,
  { owner, repo }: { owner: string; repo: string },
): Promise<string> {
  const project = await findProjectByName(database, { owner, repo });
  if (project) return project.project_id;
  throw new Error(`${owner}/${repo} is not a project: install the App on it, or create its first API key`);
}
