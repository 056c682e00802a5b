import type { GitHubApp } from '../../github/auth/app.ts';
import { GitHubRefusal } from '../../github/refusals/github-refusal.ts';
import {
  claimMissedDelivery,
  markRedeliveryRequested,
  recordMissedDeliveries,
} from '../../store/tables/redeliveries.ts';
import {
  deleteListPosition,
  findListPosition,
  findWatermark,
  raiseWatermark,
  storeListPosition,
} from '../../store/tables/watermarks.ts';
import { realTiming } from '../../timing.ts';
import type { DeliveryParts } from '../delivery-context.ts';

type MissedParts = Pick<DeliveryParts, 'database' | 'log'> & {
  github: Pick<GitHubApp, 'listDeliveries' | 'redeliver'>;
};

/** GitHub delivers again what is no older: https://docs.github.com/webhooks/testing-and-troubleshooting-webhooks/redelivering-webhooks */
const redeliverableMs = 3 * 24 * 3600_000;
/** A delivery that was on its way at the last look may have failed since, and takes a while to be listed. */
const overlapMs = 15 * 60_000;
const maxPerRound = 200;

/** Under this name the place is kept where a look was cut short. */
const unfinished = 'redeliver: unfinished look';

/**
 * Asks GitHub to deliver again what it could not deliver, which it never does by itself: again and again, with longer and longer pauses, for
 * as long as GitHub can. Oldest first, under the same ids, so one that came after all changes nothing. Where the look at what has failed
 * takes too long, or fails, what is known is asked for all the same, and the next round goes on with the look.
 */
export async function redeliverMissed(
  parts: MissedParts,
  signal: AbortSignal,
  timeUp = AbortSignal.timeout(realTiming.reconcile.lookForMissedMs),
): Promise<void> {
  const failures: unknown[] = [];
  await noteFailures(parts, AbortSignal.any([signal, timeUp])).catch((error: unknown) => failures.push(error));
  signal.throwIfAborted();
  const isCutShort = failures.length > 0 && timeUp.aborted;
  if (isCutShort) parts.log.info('the time for listing deliveries is up: the next round goes on');
  await askAgain(parts, signal);
  if (failures.length > 0 && !isCutShort) throw failures[0];
}

async function askAgain({ database, github, log }: MissedParts, signal: AbortSignal): Promise<void> {
  for (let asked = 0; asked < maxPerRound; asked += 1) {
    // The try is counted before GitHub is asked: a delivery that GitHub chokes on must not keep all others from their turn.
    const missed = await claimMissedDelivery(database);
    if (!missed) return;
    const { deliveryId, attemptId, tries } = missed;
    log.info({ deliveryId, tries }, 'a delivery that was missed is asked for again');
    await github.redeliver(attemptId, signal);
    await markRedeliveryRequested(database, missed);
  }
}

/**
 * Notes what has failed since the last look. What is noted is asked for even when the mark has long passed it. After a look that was cut
 * short, this one reads what has come since, and then goes on where that one stopped.
 */
async function noteFailures(parts: MissedParts, signal: AbortSignal): Promise<void> {
  const { database } = parts;
  const since = await findWatermark(database, 'redeliver', { overlapMs, maxAgeMs: redeliverableMs });
  const left = await findListPosition(database, unfinished);
  const sinceLeft = left && new Date(Math.max(left.newest.getTime() - overlapMs, since.getTime()));
  const read = { succeeded: new Set<string>(), newest: left?.newest };
  await readDown(parts, { since: sinceLeft ?? since, read, signal });
  if (left) {
    await storeListPosition(database, unfinished, { ...left, newest: read.newest ?? left.newest });
    await readDown(parts, { since, from: left.page, read, signal });
  }
  // A time of GitHub's clock, so that no clock here decides what is looked at.
  if (read.newest) await raiseWatermark(database, 'redeliver', read.newest);
  await deleteListPosition(database, unfinished);
}

interface Reading {
  succeeded: Set<string>;
  newest: Date | undefined;
}

/** Notes what failed, page by page from the newest, or `from` a place that was kept, and keeps the place after each. */
async function readDown(
  { database, github }: MissedParts,
  { read, signal, ...wanted }: { since: Date; from?: string; read: Reading; signal: AbortSignal },
): Promise<void> {
  try {
    for await (const { deliveries, next } of github.listDeliveries({ ...wanted, signal })) {
      for (const { isSuccess, deliveryId } of deliveries) if (isSuccess) read.succeeded.add(deliveryId);
      // Newest first, so a later success has been read by now. If an earlier look read it, GitHub is asked once more, which does no harm.
      const failed = deliveries.filter(({ isSuccess, deliveryId }) => !isSuccess && !read.succeeded.has(deliveryId));
      await recordMissedDeliveries(
        database,
        failed.map(({ attemptId, deliveryId, deliveredAt }) => ({ attemptId, deliveryId, failedAt: deliveredAt })),
      );
      const [first] = deliveries;
      const { newest = first?.deliveredAt } = read;
      read.newest = first && newest && first.deliveredAt > newest ? first.deliveredAt : newest;
      if (next !== undefined && read.newest)
        await storeListPosition(database, unfinished, { newest: read.newest, page: next });
    }
  } catch (error) {
    // A place that GitHub no longer knows must not be kept: every round would fail at it.
    if (wanted.from !== undefined && error instanceof GitHubRefusal) await deleteListPosition(database, unfinished);
    throw error;
  }
}
