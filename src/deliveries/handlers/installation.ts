import type { DeliveryFields } from '../../store/tables/delivery-fields.ts';
import { findInstallation } from '../../store/tables/installations.ts';
import type { DeliveryParts, EventHandler } from '../event-handler.ts';
import { type ReadInstallation, reconcileInstallation } from '../reconcile/reconcile-installation.ts';
import { removeGoneProjects } from '../reconcile/remove-project.ts';

/**
 * The App was installed, suspended or unsuspended, or got other repositories or permissions. GitHub is asked how things are now, because
 * what the delivery tells may be old by the time it comes.
 */
export const installationChanged: EventHandler = async (parts, { fields, signal }) => {
  const read = await readInstallation(parts, idOf(fields), signal);
  return read ? reconcileInstallation(parts, read, signal) : unlisted;
};

/** One repository has another name, owner or default branch. Only that one is read where possible: an account may have thousands. */
export const repositoryChanged: EventHandler = async (parts, { fields, signal }) => {
  const read = await readInstallation(parts, idOf(fields), signal);
  const repositoryId = fields.repository?.id;
  return read ? reconcileInstallation(parts, { ...read, repositoryId }, signal) : unlisted;
};

/** The App was uninstalled. A repository may have moved to another account with the App, and this delivery may be the first to tell. */
export const installationDeleted: EventHandler = async (parts, { fields, signal }) => {
  await removeGoneProjects(parts, idOf(fields), { listed: new Set(), signal });
  return async () => undefined;
};

const unlisted = 'GitHub no longer lists the installation';

/** What we hold is read before GitHub is asked, because what is changed here after that is newer than GitHub's answer. */
async function readInstallation(
  { database, github }: DeliveryParts,
  installationId: number,
  signal: AbortSignal,
): Promise<ReadInstallation | undefined> {
  const held = await findInstallation(database, installationId);
  const installation = await github.fetchInstallation(installationId, signal);
  return installation && { installation, held };
}

function idOf({ installation }: DeliveryFields): number {
  if (!installation) throw new Error('the delivery names no installation');
  return installation.id;
}
