import { raiseWatermark } from '../store/watermarks.ts';
import type { DeliveryParts } from './event-handler.ts';
import { reconcileInstallations } from './reconcile-installation.ts';
import { reconcilePullRequests } from './reconcile-pull-requests.ts';

const partMs = 4.5 * 60_000;

/**
 * Makes up for what webhooks may never have told: what there is on GitHub is compared with what we hold. It costs a token for each
 * installation. Each part does what it can, whatever the other meets; then all that failed is thrown.
 */
export async function reconcile(parts: DeliveryParts, signal: AbortSignal): Promise<void> {
  await raiseWatermark(parts.database, 'reconcile', new Date());
  const failures: unknown[] = [];
  for (const part of [reconcileInstallations, reconcilePullRequests]) {
    // Of the ten minutes until the next one, each has its half: with very many installations there is still time for pull requests.
    await part(parts, AbortSignal.any([signal, AbortSignal.timeout(partMs)])).catch((error: unknown) =>
      failures.push(error),
    );
    signal.throwIfAborted();
  }
  if (failures.length > 0) throw new AggregateError(failures, 'could not compare everything with GitHub');
}
