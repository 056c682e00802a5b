import type { DeliveryFields } from '../store/delivery-fields.ts';
import type { EventHandler } from './event-handler.ts';
import { reconcileInstallation } from './reconcile-installation.ts';
import { removeProjects } from './remove-project.ts';

/**
 * Installed, suspended or not, other repositories or other names of them: GitHub is asked how things are now, because what the
 * delivery tells may be old by the time it comes.
 */
export const installationChanged: EventHandler = async (parts, { fields, signal }) => {
  const installationId = idOf(fields);
  const installation = (await parts.github.listInstallations(signal)).find(
    (listed) => listed.installationId === installationId,
  );
  if (!installation) return 'GitHub no longer lists the installation';
  return reconcileInstallation(parts, installation, signal);
};

export const installationDeleted: EventHandler =
  async (_parts, { fields }) =>
  async (store) => {
    await removeProjects(store, idOf(fields));
    return undefined;
  };

function idOf({ installation }: DeliveryFields): number {
  if (!installation) throw new Error('the delivery names no installation');
  return installation.id;
}
