import { Parked, RunFailure } from '../errors.ts';
import { findDelivery, lockStoredDelivery, markDelivery } from '../store/deliveries.ts';
import { deliveryFieldsSchema } from '../store/delivery-fields.ts';
import { inTransaction, type Store } from '../store/store.ts';
import { commentCreated } from './comment.ts';
import type { DeliveryParts, EventHandler } from './event-handler.ts';
import { installationChanged, installationDeleted } from './installation.ts';
import { pullRequestChanged } from './pull-request.ts';
import { pushed } from './push.ts';
import { repositoryDeleted } from './repository-deleted.ts';
import { repositoryEdited } from './repository-edited.ts';
import { reviewSubmitted } from './review.ts';
import { reviewCommentCreated } from './review-comment.ts';

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
  'repository.edited': repositoryEdited,
  'repository.deleted': repositoryDeleted,
  'pull_request.closed': pullRequestChanged,
  'pull_request.reopened': pullRequestChanged,
  'pull_request.edited': pullRequestChanged,
  'issue_comment.created': commentCreated,
  'pull_request_review.submitted': reviewSubmitted,
  'pull_request_review_comment.created': reviewCommentCreated,
  push: pushed,
};

const suspendedRetryMs = 10 * 60_000;

/**
 * Processes a stored delivery exactly once: what it does to our tables and the mark that it is done are one transaction. Returns a
 * moment when it has to be processed again then; throws what may pass.
 */
export async function processDelivery(
  parts: DeliveryParts,
  deliveryId: string,
  signal: AbortSignal,
): Promise<Date | undefined> {
  const delivery = await findDelivery(parts.database, deliveryId);
  if (delivery?.state !== 'stored') return undefined;
  const { event, action, received_at: receivedAt } = delivery;
  const handler = handlers[[event, action].filter(Boolean).join('.')] ?? nothing;
  const fields = deliveryFieldsSchema.parse(delivery.fields);
  try {
    const apply = await handler(parts, { fields, receivedAt, signal });
    return await inTransaction(parts, async (store) => {
      if (!(await lockStoredDelivery(store.tx, deliveryId))) return undefined;
      const outcome = typeof apply === 'string' ? apply : await apply(store);
      if (outcome instanceof Date) return outcome;
      await markDelivery(store.tx, deliveryId, outcome ? { state: 'ignored', reason: outcome } : { state: 'done' });
      return undefined;
    });
  } catch (error) {
    if (error instanceof Parked) return error.until;
    // It is unsuspended some day, or gone, which other deliveries tell of.
    if (error instanceof RunFailure && error.code === 'installation_suspended')
      return new Date(Date.now() + suspendedRetryMs);
    throw error;
  }
}

const nothing: EventHandler = async () => 'no handler for this event';

/** A delivery that could not be processed in all its retries does nothing: whom GitHub does not vouch for may not prompt. */
export function giveUpDelivery({ database }: Pick<Store, 'database'>, deliveryId: string): Promise<void> {
  return markDelivery(database, deliveryId, { state: 'ignored', reason: 'given up after all retries' });
}
