import type { DeliveryContext, EventHandler } from '../delivery-context.ts';
import { reconcileInstallation } from '../reconcile/reconcile-installation.ts';
import { removeGoneProjects } from '../reconcile/remove-project.ts';

/** The App was installed, suspended or unsuspended, or its repositories or permissions changed. */
export const installationChanged: EventHandler = (context) =>
  reconcileInstallation(context, { installationId: installationIdOf(context) }, context.signal);

/** The App was uninstalled. A repository may have moved to another account that has the App: this delivery may be the first sign of it. */
export const installationDeleted: EventHandler = async (context) => {
  await removeGoneProjects(context, installationIdOf(context), { listed: new Set(), signal: context.signal });
  return async () => undefined;
};

export function installationIdOf({ fields: { installation } }: DeliveryContext): number {
  if (!installation) throw new Error('the delivery names no installation');
  return installation.id;
}
