import type { AccessPool } from '../github/auth/access-pool.ts';
import type { GitHubApp } from '../github/auth/app.ts';
import type { Access, AccessRequest } from '../github/auth/open-access.ts';
import type { Permissions } from '../github/auth/permissions.ts';
import { GitHubRefusal } from '../github/refusals/github-refusal.ts';
import type { Store } from '../store/store.ts';
import { findInstallation } from '../store/tables/repositories/installations.ts';
import { type Project, toRepositoryLocation } from '../store/tables/repositories/projects.ts';
import { realTiming, type Timing } from '../timing.ts';
import { assertUnblocked } from './assert-unblocked.ts';
import { parkWhileSuspended } from './find-wait.ts';
import { followTransfer } from './follow-transfer.ts';

/** Throws `Parked` during a rate limit or suspension, and as `mintToken`. */
export type OpenProject = (
  project: Project,
  permissions: Permissions,
  signal: AbortSignal,
  options?: Pick<AccessRequest, 'isForInstallation'>,
) => Promise<Access>;

export function createOpenProject({
  database,
  github,
  accesses,
  timing = realTiming,
}: Pick<Store, 'database'> & { github: GitHubApp; accesses: AccessPool; timing?: Timing }): OpenProject {
  return (storedProject, permissions, signal, options = {}) =>
    followTransfer({ database, github, signal }, storedProject, (project) =>
      open(project, permissions, signal, options),
    );

  async function open(...[project, permissions, signal, options]: Parameters<OpenProject>): Promise<Access> {
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
