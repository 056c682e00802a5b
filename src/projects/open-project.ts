import type { AccessPool } from '../github/auth/access-pool.ts';
import type { GitHubApp } from '../github/auth/app.ts';
import { openAccess, type RepositoryAccess, type Secrets } from '../github/auth/open-access.ts';
import type { Permissions } from '../github/auth/permissions.ts';
import { GitHubRefusal } from '../github/refusals/github-refusal.ts';
import type { Database } from '../store/postgres/database.ts';
import { findInstallation } from '../store/tables/repositories/installations.ts';
import { type Project, renameProject, toRepositoryLocation } from '../store/tables/repositories/projects.ts';
import { realTiming, type Timing } from '../timing.ts';
import { parkWhileSuspended } from './find-wait.ts';
import { followTransfer } from './follow-transfer.ts';
import { assertUnblocked } from './github-limits.ts';

/** Throws `Parked` during a rate limit or suspension, and as `mintToken`. */
export type OpenProject = (
  project: Project,
  permissions: Permissions,
  signal: AbortSignal,
  options?: { isForInstallation?: boolean },
) => Promise<RepositoryAccess>;

/** Opens with a token that nobody else uses, and that ends with the scope: for a run, which works for hours. Throws as `mintToken`. */
export async function openProjectAlone(
  request: { database: Database; github: GitHubApp; secrets: Secrets; signal: AbortSignal },
  project: Project,
  permissions: Permissions,
): Promise<RepositoryAccess> {
  const { database, github, secrets, signal } = request;
  return followTransfer({ database, github, signal }, project, async (current) => {
    const access = await openAccess({ github, secrets, location: toRepositoryLocation(current), permissions, signal });
    // The new token names the repository as it is called now: the webhook of a rename may be late or lost.
    if (access.repository) await renameProject(database, current, access.repository);
    return access;
  });
}

/** Opens with tokens that requests share. */
export function createOpenProject(parts: {
  database: Database;
  github: GitHubApp;
  accesses: AccessPool;
  timing?: Timing;
}): OpenProject {
  const { database, github, accesses, timing = realTiming } = parts;
  return (project, permissions, signal, options = {}) =>
    followTransfer({ database, github, signal }, project, (current) => open(current, permissions, signal, options));

  async function open(...[project, permissions, signal, options]: Parameters<OpenProject>): Promise<RepositoryAccess> {
    await assertUnblocked({ database }, project.installation_id);
    const installation = await findInstallation(database, project.installation_id);
    if (installation?.suspended_at) throw parkWhileSuspended();
    try {
      return await accesses.open({
        location: toRepositoryLocation(project),
        permissions,
        writePatienceMs: timing.writes.queuePatienceMs,
        signal,
        ...options,
      });
    } catch (error) {
      if (error instanceof GitHubRefusal && error.reason === 'installation_suspended') throw parkWhileSuspended(error);
      throw error;
    }
  }
}
