import type { GitHubApp } from '../github/app.ts';
import type { HookDelivery } from '../github/hook-delivery.ts';
import { countRedelivery } from '../store/redeliveries.ts';
import { findWatermark, raiseWatermark } from '../store/watermarks.ts';
import type { DeliveryParts } from './event-handler.ts';

/** GitHub delivers again what is no older: https://docs.github.com/webhooks/testing-and-troubleshooting-webhooks/redelivering-webhooks */
const redeliverableMs = 3 * 24 * 3600_000;
/** What was on its way when we looked last may have failed since. */
const overlapMs = 15 * 60_000;
/** One that failed this often did not get lost: we cannot take it. */
const maxTries = 5;
const maxPerRound = 200;

/**
 * Asks GitHub to deliver again what it could not deliver, which it never does by itself. Oldest first, under the same ids, so one that
 * came after all changes nothing.
 */
export async function redeliverMissed(
  {
    database,
    github,
    log,
  }: Pick<DeliveryParts, 'database' | 'log'> & { github: Pick<GitHubApp, 'listDeliveries' | 'redeliver'> },
  signal: AbortSignal,
): Promise<void> {
  const startedAt = new Date();
  const oldest = new Date(startedAt.getTime() - redeliverableMs);
  const seenTo = await findWatermark(database, 'redeliver');
  const since = new Date(Math.max(oldest.getTime(), (seenTo?.getTime() ?? 0) - overlapMs));
  const missed = findMissed(await github.listDeliveries({ since, signal }));
  let asked = 0;
  for (const { id, deliveryId, deliveredAt } of missed) {
    // The rest is found again where the next round begins.
    if (asked === maxPerRound) return raiseWatermark(database, 'redeliver', deliveredAt);
    if ((await countRedelivery(database, deliveryId)) > maxTries) continue;
    asked += 1;
    log.info({ deliveryId }, 'a delivery that was missed is asked for again');
    await github.redeliver(id, signal);
  }
  await raiseWatermark(database, 'redeliver', startedAt);
}

/** Of each delivery that never succeeded its newest attempt, oldest first. */
export function findMissed(attempts: readonly HookDelivery[]): HookDelivery[] {
  const byDelivery = Map.groupBy(attempts, ({ deliveryId }) => deliveryId);
  return [...byDelivery.values()]
    .filter((tried) => !tried.some(({ isSuccess }) => isSuccess))
    .flatMap((tried) =>
      tried.toSorted((one, other) => other.deliveredAt.getTime() - one.deliveredAt.getTime()).slice(0, 1),
    )
    .toSorted((one, other) => one.deliveredAt.getTime() - other.deliveredAt.getTime());
}
