import { findDelivery, lockStoredDelivery, markDelivery } from '../store/deliveries.ts';
import { deliveryFieldsSchema } from '../store/delivery-fields.ts';
import type { DeliveryParts, EventHandler } from './event-handler.ts';
import { installationChanged, installationDeleted } from './installation.ts';
import { pullRequestChanged } from './pull-request.ts';
import { repositoryDeleted } from './repository-deleted.ts';

/** Every event that means something to us. What is not here is stored, and done with. */
const handlers: Record<string, EventHandler> = {
  'installation.created': installationChanged,
  'installation.unsuspend': installationChanged,
  'installation.new_permissions_accepted': installationChanged,
  'installation.suspend': installationChanged,
  'installation.deleted': installationDeleted,
  'installation_repositories.added': installationChanged,
  'installation_repositories.removed': installationChanged,
  'repository.renamed': installationChanged,
  'repository.transferred': installationChanged,
  'repository.edited': installationChanged,
  'repository.deleted': repositoryDeleted,
  'pull_request.closed': pullRequestChanged,
  'pull_request.reopened': pullRequestChanged,
};

/** Processes a stored delivery exactly once: its effects and the mark that it is done are one transaction. */
export async function processDelivery(parts: DeliveryParts, deliveryId: string): Promise<void> {
  const { database } = parts;
  const delivery = await findDelivery(database, deliveryId);
  if (delivery?.state !== 'stored') return;
  const handler = handlers[[delivery.event, delivery.action].filter(Boolean).join('.')];
  const apply = await handler?.(parts, deliveryFieldsSchema.parse(delivery.fields));
  await database.transaction().execute(async (tx) => {
    if (!(await lockStoredDelivery(tx, deliveryId))) return;
    const ignored = apply ? await apply(tx) : 'no handler for this event';
    await markDelivery(tx, deliveryId, ignored ? { state: 'ignored', reason: ignored } : { state: 'done' });
  });
}
