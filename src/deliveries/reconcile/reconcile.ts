import { raiseWatermark } from '../../store/tables/repositories/watermarks.ts';
import type { DeliveryParts } from '../delivery-context.ts';
import { reconcileInstallations } from './reconcile-installation.ts';
import { reconcilePullRequests } from './reconcile-pull-requests.ts';

/** Applies changes whose webhooks were lost. A failure of one half does not stop the other. */
export async function reconcile(parts: DeliveryParts, signal: AbortSignal): Promise<void> {
  await raiseWatermark(parts.database, 'reconcile');
  const failures: unknown[] = [];
  for (const half of [reconcileInstallations, reconcilePullRequests]) {
    await half(parts, signal).catch((error: unknown) => failures.push(error));
    signal.throwIfAborted();
  }
  if (failures.length > 0) throw new AggregateError(failures, 'could not reconcile with GitHub');
}
