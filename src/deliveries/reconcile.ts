import type { DeliveryParts } from './event-handler.ts';
import { reconcileInstallations } from './reconcile-installation.ts';
import { reconcilePullRequests } from './reconcile-pull-requests.ts';
import { redeliverMissed } from './redeliver-missed.ts';

/**
 * Makes up for everything that webhooks may not have told: deliveries that failed are asked for again, and what there is on GitHub is
 * compared with what we hold. Each part does what it can, whatever the others meet; then all that failed is thrown.
 */
export async function reconcile(parts: DeliveryParts, signal: AbortSignal): Promise<void> {
  const failures: unknown[] = [];
  for (const part of [reconcileInstallations, redeliverMissed, reconcilePullRequests]) {
    await part(parts, signal).catch((error: unknown) => failures.push(error));
    signal.throwIfAborted();
  }
  if (failures.length > 0) throw new AggregateError(failures, 'could not compare everything with GitHub');
}
