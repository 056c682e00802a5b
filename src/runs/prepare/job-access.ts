import { type Access, openAccess } from '../../github/auth/open-access.ts';
import type { Permissions } from '../../github/auth/permissions.ts';
import { followTransfer } from '../../projects/follow-transfer.ts';
import type { Job } from '../../store/tables/jobs/jobs.ts';
import {
  findProject,
  type Project,
  renameProject,
  toRepositoryLocation,
} from '../../store/tables/repositories/projects.ts';
import type { RunContext, RunParts } from '../run-context.ts';

/** Minted for the minutes of publishing only, not for the hours of work. */
export const publishingPermissions = { contents: 'write', pull_requests: 'write' } as const;

export async function openJobAccess({ parts, job, signals }: RunContext, permissions: Permissions): Promise<Access> {
  const project = await requireProject(parts, job);
  return openProjectAccess(parts, { project, permissions, signal: signals.publish });
}

/** The new token names the repository as it is called now: the webhook of a rename may be late or lost. */
export async function openProjectAccess(
  { database, github, redactor: secrets }: RunParts,
  { project, permissions, signal }: { project: Project; permissions: Permissions; signal: AbortSignal },
): Promise<Access> {
  const access = await followTransfer({ database, github, signal }, project, (currentProject) =>
    openAccess({ github, secrets, location: toRepositoryLocation(currentProject), permissions, signal }),
  );
  if (access.repository) await renameProject(database, project, access.repository);
  return access;
}

export async function requireProject({ database }: RunParts, { project_id: projectId }: Job): Promise<Project> {
  const project = await findProject(database, projectId);
  if (!project) throw new Error(`there is no project ${projectId}`);
  return project;
}
