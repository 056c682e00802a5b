import type { Installation } from '../github/installation.ts';
import { assertUnblocked } from '../projects/assert-unblocked.ts';
import { reachRepository } from '../projects/find-move.ts';
import {
  type Installation as HeldInstallation,
  listInstallations,
  markInstallationCompared,
  upsertInstallation,
} from '../store/installations.ts';
import { upsertProject } from '../store/projects.ts';
import { inTransaction } from '../store/store.ts';
import type { Apply, DeliveryParts } from './event-handler.ts';
import { removeGoneProjects } from './remove-project.ts';
import { workThrough } from './work-through.ts';

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
  { installation, held, repositoryId }: ReadInstallation & { repositoryId?: number | undefined },
  signal: AbortSignal,
): Promise<Apply> {
  const { github } = parts;
  const { installationId, account, suspendedAt } = installation;
  await assertUnblocked(parts, installationId);
  // A suspended installation gets no token; its projects stay as they are until it comes back.
  const isAsked = suspendedAt === null;
  const isOneAsked = isAsked && repositoryId !== undefined;
  const one = isOneAsked ? await reachRepository(github, { installationId, repositoryId, signal }) : undefined;
  let repositories = one?.repository ? [one.repository] : [];
  if (isAsked && !one?.repository) {
    repositories = await github.listRepositories(installationId, signal);
    const listed = new Set(repositories.map((repository) => repository.repositoryId));
    await removeGoneProjects(parts, installationId, { listed, signal });
  }
  return async ({ tx }) => {
    // Jobs need no waking: they are not claimed while it is suspended, and are again from then on.
    await upsertInstallation(tx, { installationId, account, suspendedAt, held });
    for (const repository of repositories) await upsertProject(tx, { ...repository, installationId });
    return undefined;
  };
}

/** The same for all installations of the App, as `workThrough` does it; those that are gone lose their projects. */
export async function reconcileInstallations(
  parts: DeliveryParts,
  signal: AbortSignal,
  timeUp?: AbortSignal,
): Promise<void> {
  const { database, github, log } = parts;
  const known = await listInstallations(database);
  const held = new Map(known.map((each) => [each.installation_id, each]));
  const listed = new Map((await github.listInstallations(signal)).map((each) => [each.installationId, each]));
  const ids = new Set([...listed.keys().filter((installationId) => !held.has(installationId)), ...held.keys()]);
  await workThrough([...ids], {
    ...{ log, signal, timeUp },
    about: (installationId) => ({ installationId }),
    async work(installationId, until) {
      await markInstallationCompared(database, installationId);
      const installation = listed.get(installationId);
      if (!installation) return removeGoneProjects(parts, installationId, { listed: new Set(), signal: until });
      const read = { installation, held: held.get(installationId) };
      await inTransaction(parts, await reconcileInstallation(parts, read, until));
    },
  });
}
