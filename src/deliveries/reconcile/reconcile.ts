import { raiseWatermark } from '../../store/tables/repositories/watermarks.ts';
import type { DeliveryParts } from '../delivery-context.ts';
import { reconcileInstallations } from './reconcile-installation.ts';
import { reconcileOccasions } from './reconcile-occasions.ts';
import { reconcilePullRequests } from './reconcile-pull-requests.ts';
import { refreshBroken } from './refresh-settings.ts';

/** Applies changes whose webhooks were lost. A failure of one part does not stop the others. */
export async function reconcile(parts: DeliveryParts, signal: AbortSignal): Promise<void> {
  await raiseWatermark(parts.database, 'reconcile');
  const failures: unknown[] = [];
  for (const part of [reconcileInstallations, reconcilePullRequests, refreshBroken, reconcileOccasions]) {
    await part(parts, signal).catch((error: unknown) => failures.push(error));
    signal.throwIfAborted();
  }
  if (failures.length > 0) throw new AggregateError(failures, 'could not reconcile with GitHub');
}
