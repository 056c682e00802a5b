import type { GitHubApp } from '../github/app.ts';
import { noteMissed, settleMissed, takeMissed } from '../store/redeliveries.ts';
import { findSince, raiseWatermark } from '../store/watermarks.ts';
import type { DeliveryParts } from './event-handler.ts';

type MissedParts = Pick<DeliveryParts, 'database' | 'log'> & {
  github: Pick<GitHubApp, 'listDeliveries' | 'redeliver'>;
};

/** GitHub delivers again what is no older: https://docs.github.com/webhooks/testing-and-troubleshooting-webhooks/redelivering-webhooks */
const redeliverableMs = 3 * 24 * 3600_000;
/** What was on its way when we looked last may have failed since, and takes a while to be listed. */
const overlapMs = 15 * 60_000;
const maxPerRound = 200;

/**
 * Asks GitHub to deliver again what it could not deliver, which it never does by itself: again and again, with longer and longer pauses, for
 * as long as GitHub can. Oldest first, under the same ids, so one that came after all changes nothing.
 */
export async function redeliverMissed(parts: MissedParts, signal: AbortSignal): Promise<void> {
  await noteFailures(parts, signal);
  const { database, github, log } = parts;
  for (let asked = 0; asked < maxPerRound; asked += 1) {
    // Counted before it is asked for: one that GitHub chokes on must not keep all others from their turn.
    const missed = await takeMissed(database);
    if (!missed) return;
    const { deliveryId, attemptId, tries } = missed;
    log.info({ deliveryId, tries }, 'a delivery that was missed is asked for again');
    await github.redeliver(attemptId, signal);
    await settleMissed(database, missed);
  }
}

/** Notes what has failed since the last look. What is noted is asked for however far the mark is by then. */
async function noteFailures({ database, github }: MissedParts, signal: AbortSignal): Promise<void> {
  const since = await findSince(database, 'redeliver', { overlapMs, maxAgeMs: redeliverableMs });
  const succeeded = new Set<string>();
  let newest: Date | undefined;
  for await (const page of github.listDeliveries({ since, signal })) {
    for (const { isSuccess, deliveryId } of page) if (isSuccess) succeeded.add(deliveryId);
    // Newest first: whatever succeeded later has been seen by now.
    const failed = page.filter(({ isSuccess, deliveryId }) => !isSuccess && !succeeded.has(deliveryId));
    await noteMissed(
      database,
      failed.map(({ id, deliveryId, deliveredAt }) => ({ attemptId: id, deliveryId, failedAt: deliveredAt })),
    );
    newest ??= page[0]?.deliveredAt;
  }
  // GitHub's own time: that of no machine here has a part in what is seen.
  if (newest) await raiseWatermark(database, 'redeliver', newest);
}
