import { Parked, RunFailure } from '../errors.ts';
import type { AccessPool } from '../github/access-pool.ts';
import type { Access, AccessRequest } from '../github/open-access.ts';
import type { Permissions } from '../github/permissions.ts';
import { findInstallation } from '../store/installations.ts';
import { type Project, placeOf } from '../store/projects.ts';
import type { Store } from '../store/store.ts';
import { assertUnblocked } from './assert-unblocked.ts';

/** How often it is looked whether somebody has unsuspended an installation. */
const suspendedRetryMs = 10 * 60_000;

/** What the queue brings has a place that others wait for: a turn to write that is further away is come back for. */
const turnPatienceMs = 1_000;

/**
 * Opens the repository of a project on GitHub for a question or an answer. Throws `Parked` while its installation is to ask nothing, or
 * is suspended, and what minting a token throws.
 */
export type OpenProject = (
  project: Project,
  permissions: Permissions,
  signal: AbortSignal,
  options?: Pick<AccessRequest, 'isForInstallation'>,
) => Promise<Access>;

export function createOpenProject({
  database,
  accesses,
}: Pick<Store, 'database'> & { accesses: AccessPool }): OpenProject {
  return async (project, permissions, signal, options = {}) => {
    await assertUnblocked({ database }, project.installation_id);
    const installation = await findInstallation(database, project.installation_id);
    if (installation?.suspended_at) throw suspended();
    try {
      return await accesses.open({ place: placeOf(project), permissions, turnPatienceMs, signal, ...options });
    } catch (error) {
      if (error instanceof RunFailure && error.code === 'installation_suspended') throw suspended(error);
      throw error;
    }
  };
}

const suspended = (cause?: Error) =>
  new Parked(new Date(Date.now() + suspendedRetryMs), 'the installation is suspended', { cause });
