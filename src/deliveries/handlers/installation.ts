import type { DeliveryContext, EventHandler } from '../delivery-context.ts';
import { reconcileInstallation } from '../reconcile/reconcile-installation.ts';
import { removeGoneProjects } from '../reconcile/remove-project.ts';

export const installationChanged: EventHandler = (context) =>
  reconcileInstallation(context, { installationId: installationIdOf(context) }, context.signal);

/** A repository may also have moved to another account that has the App. This delivery may be the first sign of it. */
export const installationDeleted: EventHandler = async (context) => {
  await removeGoneProjects(context, installationIdOf(context), { listed: new Set(), signal: context.signal });
  return async () => undefined;
};

export function installationIdOf({ fields: { installation } }: DeliveryContext): number {
  if (!installation) throw new Error('the delivery has no installation');
  return installation.id;
}
