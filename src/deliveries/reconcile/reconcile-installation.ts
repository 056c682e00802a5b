import type { Installation } from '../../github/calls/installation.ts';
import type { Repository } from '../../github/calls/repository.ts';
import { assertUnblocked } from '../../projects/assert-unblocked.ts';
import { reachRepository } from '../../projects/find-move.ts';
import { inTransaction } from '../../store/store.ts';
import {
  type Installation as HeldInstallation,
  listInstallations,
  markInstallationCompared,
  upsertInstallation,
} from '../../store/tables/installations.ts';
import { upsertProject } from '../../store/tables/projects.ts';
import type { Apply, DeliveryParts } from '../event-handler.ts';
import { removeGoneProjects } from './remove-project.ts';
import { roundMs, workThrough } from './work-through.ts';

/** An installation as GitHub has it, and as we held it before GitHub was asked: undefined where it was new to us. */
export interface ReadInstallation {
  installation: Installation;
  held: HeldInstallation | undefined;
}

/**
 * Makes our projects of one installation what GitHub says they are. Webhooks are only the occasion: their lists of repositories
 * may be missing or empty (switching from all to selected repositories lists none), so GitHub is asked. With `repositoryId` only about
 * that one, unless it is out of reach or GitHub does not describe it.
 */
export async function reconcileInstallation(
  parts: DeliveryParts,
  read: ReadInstallation & { repositoryId?: number | undefined },
  signal: AbortSignal,
): Promise<Apply> {
  const { installationId } = read.installation;
  const { repositories, listed } = await readRepositories(parts, read, signal);
  if (listed) await removeGoneProjects(parts, installationId, { listed, signal });
  return storeInstallation(read, repositories);
}

/** The repositories of an installation that GitHub was asked about; `listed` has the numbers of all, if it was asked about all. */
async function readRepositories(
  parts: DeliveryParts,
  { installation, repositoryId }: { installation: Installation; repositoryId?: number | undefined },
  signal: AbortSignal,
): Promise<{ repositories: Repository[]; listed?: ReadonlySet<number> }> {
  const { github } = parts;
  const { installationId, suspendedAt } = installation;
  await assertUnblocked(parts, installationId);
  // A suspended installation gets no token; its projects stay as they are until it comes back.
  if (suspendedAt !== null) return { repositories: [] };
  const isOneAsked = repositoryId !== undefined;
  const one = isOneAsked ? await reachRepository(github, { installationId, repositoryId, signal }) : undefined;
  if (one?.repository) return { repositories: [one.repository] };
  const repositories = await github.listRepositories(installationId, signal);
  return { repositories, listed: new Set(repositories.map((repository) => repository.repositoryId)) };
}

function storeInstallation({ installation, held }: ReadInstallation, repositories: Repository[]): Apply {
  const { installationId, account, suspendedAt } = installation;
  return async ({ tx }) => {
    // Jobs need no wake-up: they are claimed again as soon as the installation is not suspended any more.
    await upsertInstallation(tx, { installationId, account, suspendedAt, held });
    for (const repository of repositories) await upsertProject(tx, { ...repository, installationId });
    return undefined;
  };
}

/** The part of a round's time that is left for removing what is gone, of which there is little. */
const removingMs = 60_000;

/**
 * The same for all installations of the App, as `workThrough` does it; those that are gone lose their projects. All are read before
 * anything is removed, so that what has moved from one to another is known by then: its old name does not lead to it where another
 * repository has taken that name.
 */
export async function reconcileInstallations(
  parts: DeliveryParts,
  signal: AbortSignal,
  timeUp?: AbortSignal,
): Promise<void> {
  const readingUp = timeUp ?? AbortSignal.timeout(roundMs - removingMs);
  const removingUp = timeUp ?? AbortSignal.timeout(roundMs);
  const { database, github, log } = parts;
  const known = await listInstallations(database);
  const held = new Map(known.map((each) => [each.installation_id, each]));
  const installed = new Map((await github.listInstallations(signal)).map((each) => [each.installationId, each]));
  const ids = new Set([...installed.keys().filter((installationId) => !held.has(installationId)), ...held.keys()]);
  const about = (installationId: number) => ({ installationId });
  const read = new Map<number, ReadonlySet<number>>();
  const isSoughtElsewhere = await workThrough([...ids], {
    ...{ log, signal, timeUp: readingUp, about },
    async work(installationId, until) {
      await markInstallationCompared(database, installationId);
      const installation = installed.get(installationId);
      if (!installation) return void read.set(installationId, new Set());
      const { repositories, listed } = await readRepositories(parts, { installation }, until);
      await inTransaction(parts, storeInstallation({ installation, held: held.get(installationId) }, repositories));
      if (listed) read.set(installationId, listed);
    },
  });
  await workThrough([...read.keys()], {
    ...{ log, signal, timeUp: removingUp, about },
    async work(installationId, until) {
      const listed = read.get(installationId);
      if (listed) await removeGoneProjects(parts, installationId, { listed, isSoughtElsewhere, signal: until });
    },
  });
}
