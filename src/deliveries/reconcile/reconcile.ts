import { raiseWatermark } from '../../store/tables/watermarks.ts';
import type { DeliveryParts } from '../delivery-context.ts';
import { reconcileInstallations } from './reconcile-installation.ts';
import { reconcilePullRequests } from './reconcile-pull-requests.ts';

/**
 * Makes up for what webhooks may never have told: what there is on GitHub is compared with what we hold. It costs a token or two for each
 * installation. Each half does what it can, whatever the other meets; what keeps one from its work altogether is thrown.
 */
export async function reconcile(parts: DeliveryParts, signal: AbortSignal): Promise<void> {
  await raiseWatermark(parts.database, 'reconcile');
  const failures: unknown[] = [];
  for (const half of [reconcileInstallations, reconcilePullRequests]) {
    await half(parts, signal).catch((error: unknown) => failures.push(error));
    signal.throwIfAborted();
  }
  if (failures.length > 0) throw new AggregateError(failures, 'could not compare with GitHub');
}
