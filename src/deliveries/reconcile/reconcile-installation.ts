import type { Installation } from '../../github/calls/installation.ts';
import type { Repository } from '../../github/calls/repository.ts';
import { reachRepository } from '../../projects/follow-transfer.ts';
import { assertUnblocked } from '../../projects/github-limits.ts';
import { inTransaction } from '../../store/store.ts';
import {
  findInstallation,
  listInstallations,
  markInstallationReconciled,
  type InstallationRow as StoredInstallation,
  upsertInstallation,
} from '../../store/tables/repositories/installations.ts';
import { upsertProject } from '../../store/tables/repositories/projects.ts';
import { realTiming } from '../../timing.ts';
import type { Apply, DeliveryParts } from '../delivery-context.ts';
import { reconcileEach } from './reconcile-each.ts';
import { removeGoneProjects } from './remove-project.ts';

const removalMs = 60_000;

/** Asks GitHub: the webhook's list may be incomplete. Switching from all to selected repositories lists none. */
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

/** `listed` has the ids of all repositories of the installation, if GitHub listed them. */
async function readRepositories(
  parts: DeliveryParts,
  { installation, repositoryId }: { installation: Installation; repositoryId?: number | undefined },
  signal: AbortSignal,
): Promise<{ repositories: Repository[]; listed?: ReadonlySet<number> }> {
  const { github } = parts;
  const { installationId, suspendedAt } = installation;
  await assertUnblocked(parts, installationId);
  // A suspended installation gets no token.
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
    await upsertInstallation(tx, { installationId, account, suspendedAt, rowBeforeRequest: stored });
    for (const repository of repositories) await upsertProject(tx, { ...repository, installationId });
    return undefined;
  };
}

/** Reads all installations before it removes a project: its repository may have moved to another, and its name be taken. */
export async function reconcileInstallations(
  parts: DeliveryParts,
  signal: AbortSignal,
  timeUp?: AbortSignal,
): Promise<void> {
  const readingUp = timeUp ?? AbortSignal.timeout(realTiming.reconcile.roundMs - removalMs);
  const removingUp = timeUp ?? AbortSignal.timeout(realTiming.reconcile.roundMs);
  const { database, github, log } = parts;
  const storedInstallations = await listInstallations(database);
  const stored = new Map(storedInstallations.map((each) => [each.installation_id, each]));
  const installed = new Map((await github.listInstallations(signal)).map((each) => [each.installationId, each]));
  const ids = new Set([...installed.keys().filter((installationId) => !stored.has(installationId)), ...stored.keys()]);
  const about = (installationId: number) => ({ installationId });
  const listedIn = new Map<number, ReadonlySet<number>>();
  const isSoughtElsewhere = await reconcileEach([...ids], {
    log,
    signal,
    timeUp: readingUp,
    about,
    async reconcile(installationId, until) {
      await markInstallationReconciled(database, installationId);
      const installation = installed.get(installationId);
      if (!installation) return void listedIn.set(installationId, new Set());
      const { repositories, listed } = await readRepositories(parts, { installation }, until);
      await inTransaction(parts, storeInstallation(installation, stored.get(installationId), repositories));
      if (listed) listedIn.set(installationId, listed);
    },
  });
  await reconcileEach([...listedIn], {
    log,
    signal,
    timeUp: removingUp,
    about: ([installationId]) => about(installationId),
    reconcile: ([installationId, listed], until) =>
      removeGoneProjects(parts, installationId, { listed, isSoughtElsewhere, signal: until }),
  });
}
