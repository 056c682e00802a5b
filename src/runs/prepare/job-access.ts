import type { RepositoryAccess } from '../../github/auth/open-access.ts';
import type { Permissions } from '../../github/auth/permissions.ts';
import { openProjectAlone } from '../../projects/open-project.ts';
import { findProject, type Project } from '../../store/tables/repositories/projects.ts';
import type { RunContext } from '../run-context.ts';

/** Minted for the minutes of publishing only, not for the hours of work. */
export const publishingPermissions = { contents: 'write', pull_requests: 'write' } as const;

/** For publishing. */
export async function openJobAccess(context: RunContext, permissions: Permissions): Promise<RepositoryAccess> {
  return openRunAccess(context, await requireProject(context), permissions, context.signals.publish);
}

export function openRunAccess(
  { parts: { database, github, redactor: secrets } }: RunContext,
  project: Project,
  permissions: Permissions,
  signal: AbortSignal,
): Promise<RepositoryAccess> {
  return openProjectAlone({ database, github, secrets, signal }, project, permissions);
}

export async function requireProject({ parts, job: { project_id: projectId } }: RunContext): Promise<Project> {
  const project = await findProject(parts.database, projectId);
  if (!project) throw new Error(`there is no project ${projectId}`);
  return project;
}
