import type { Installation } from '../../github/calls/installation.ts';
import type { Repository } from '../../github/calls/repository.ts';
import { assertUnblocked } from '../../projects/assert-unblocked.ts';
import { reachRepository } from '../../projects/follow-transfer.ts';
import { inTransaction } from '../../store/store.ts';
import {
  findInstallation,
  listInstallations,
  markInstallationReconciled,
  type Installation as StoredInstallation,
  upsertInstallation,
} from '../../store/tables/installations.ts';
import { upsertProject } from '../../store/tables/projects.ts';
import { realTiming } from '../../timing.ts';
import type { Apply, DeliveryParts } from '../delivery-context.ts';
import { removeGoneProjects } from './remove-project.ts';
import { workThrough } from './work-through.ts';

/**
 * Brings the projects of one installation in line with GitHub. Asks GitHub instead of trusting the webhook's lists of repositories, which may
 * be incomplete: switching from all to selected repositories lists none. `repositoryId` limits this to one repository, unless GitHub does
 * not reach or describe it.
 */
export async function reconcileInstallation(
  parts: DeliveryParts,
  { installationId, repositoryId }: { installationId: number; repositoryId?: number | undefined },
  signal: AbortSignal,
): Promise<Apply | string> {
  // Read before GitHub is asked: a change stored after this is newer than GitHub's answer.
  const stored = await findInstallation(parts.database, installationId);
  const installation = await parts.github.fetchInstallation(installationId, signal);
  if (!installation) return 'GitHub no longer lists the installation';
  const { repositories, listed } = await readRepositories(parts, { installation, repositoryId }, signal);
  if (listed) await removeGoneProjects(parts, installationId, { listed, signal });
  return storeInstallation(installation, stored, repositories);
}

/** The repositories to update. `listed` has the ids of all repositories of the installation, if GitHub listed them. */
async function readRepositories(
  parts: DeliveryParts,
  { installation, repositoryId }: { installation: Installation; repositoryId?: number | undefined },
  signal: AbortSignal,
): Promise<{ repositories: Repository[]; listed?: ReadonlySet<number> }> {
  const { github } = parts;
  const { installationId, suspendedAt } = installation;
  await assertUnblocked(parts, installationId);
  // A suspended installation gets no token. Its projects stay as they are until it is unsuspended.
  if (suspendedAt !== null) return { repositories: [] };
  const isLimited = repositoryId !== undefined;
  const one = isLimited ? await reachRepository(github, { installationId, repositoryId, signal }) : undefined;
  if (one?.repository) return { repositories: [one.repository] };
  const repositories = await github.listRepositories(installationId, signal);
  return { repositories, listed: new Set(repositories.map((repository) => repository.repositoryId)) };
}

function storeInstallation(
  { installationId, account, suspendedAt }: Installation,
  stored: StoredInstallation | undefined,
  repositories: Repository[],
): Apply {
  return async ({ tx }) => {
    // Jobs of an installation that is no longer suspended are claimed without a wake-up.
    await upsertInstallation(tx, { installationId, account, suspendedAt, held: stored });
    for (const repository of repositories) await upsertProject(tx, { ...repository, installationId });
    return undefined;
  };
}

/**
 * Brings all installations of the App in line with GitHub, as `workThrough` does; those that are gone lose their projects. Reads all of them
 * before it removes a project: the repository may have moved to another installation, and its old name does not lead there once another
 * repository has taken that name.
 */
export async function reconcileInstallations(
  parts: DeliveryParts,
  signal: AbortSignal,
  timeUp?: AbortSignal,
): Promise<void> {
  const readingUp = timeUp ?? AbortSignal.timeout(realTiming.reconcile.roundMs - realTiming.reconcile.removalMs);
  const removingUp = timeUp ?? AbortSignal.timeout(realTiming.reconcile.roundMs);
  const { database, github, log } = parts;
  const storedInstallations = await listInstallations(database);
  const stored = new Map(storedInstallations.map((each) => [each.installation_id, each]));
  const installed = new Map((await github.listInstallations(signal)).map((each) => [each.installationId, each]));
  const ids = new Set([...installed.keys().filter((installationId) => !stored.has(installationId)), ...stored.keys()]);
  const about = (installationId: number) => ({ installationId });
  const listedIn = new Map<number, ReadonlySet<number>>();
  const isSoughtElsewhere = await workThrough([...ids], {
    log,
    signal,
    timeUp: readingUp,
    about,
    async work(installationId, until) {
      await markInstallationReconciled(database, installationId);
      const installation = installed.get(installationId);
      if (!installation) return void listedIn.set(installationId, new Set());
      const { repositories, listed } = await readRepositories(parts, { installation }, until);
      await inTransaction(parts, storeInstallation(installation, stored.get(installationId), repositories));
      if (listed) listedIn.set(installationId, listed);
    },
  });
  await workThrough([...listedIn], {
    log,
    signal,
    timeUp: removingUp,
    about: ([installationId]) => about(installationId),
    work: ([installationId, listed], until) =>
      removeGoneProjects(parts, installationId, { listed, isSoughtElsewhere, signal: until }),
  });
}
