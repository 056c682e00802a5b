import { RunFailure } from '../errors.ts';
import type { GitHubApp } from '../github/app.ts';
import { noteMissed, settleMissed, takeMissed } from '../store/redeliveries.ts';
import { findPlace, findSince, forgetPlace, keepPlace, raiseWatermark } from '../store/watermarks.ts';
import type { DeliveryParts } from './event-handler.ts';

type MissedParts = Pick<DeliveryParts, 'database' | 'log'> & {
  github: Pick<GitHubApp, 'listDeliveries' | 'redeliver'>;
};

/** GitHub delivers again what is no older: https://docs.github.com/webhooks/testing-and-troubleshooting-webhooks/redelivering-webhooks */
const redeliverableMs = 3 * 24 * 3600_000;
/** What was on its way when we looked last may have failed since, and takes a while to be listed. */
const overlapMs = 15 * 60_000;
const maxPerRound = 200;

/** Of the ten minutes until the next round. The rest is for what is asked for again. */
const lookingMs = 4 * 60_000;
/** The watermark of a look that was cut short. */
const unfinished = 'redeliver: unfinished look';

/**
 * Asks GitHub to deliver again what it could not deliver, which it never does by itself: again and again, with longer and longer pauses, for
 * as long as GitHub can. Oldest first, under the same ids, so one that came after all changes nothing. A look at what has failed that takes
 * too long, or fails, keeps nothing that is known from its turn; the next round goes on with it.
 */
export async function redeliverMissed(
  parts: MissedParts,
  signal: AbortSignal,
  timeUp = AbortSignal.timeout(lookingMs),
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
    // Counted before it is asked for: one that GitHub chokes on must not keep all others from their turn.
    const missed = await takeMissed(database);
    if (!missed) return;
    const { deliveryId, attemptId, tries } = missed;
    log.info({ deliveryId, tries }, 'a delivery that was missed is asked for again');
    await github.redeliver(attemptId, signal);
    await settleMissed(database, missed);
  }
}

/**
 * Notes what has failed since the last look. What is noted is asked for however far the mark is by then. A look that was cut short, with
 * days to look at, is gone on with below what has come since.
 */
async function noteFailures(parts: MissedParts, signal: AbortSignal): Promise<void> {
  const { database } = parts;
  const since = await findSince(database, 'redeliver', { overlapMs, maxAgeMs: redeliverableMs });
  const left = await findPlace(database, unfinished);
  const sinceLeft = left && new Date(Math.max(left.newest.getTime() - overlapMs, since.getTime()));
  const read = { succeeded: new Set<string>(), newest: left?.newest };
  await readDown(parts, { since: sinceLeft ?? since, read, signal });
  if (left) {
    await keepPlace(database, unfinished, { ...left, newest: read.newest ?? left.newest });
    await readDown(parts, { since, from: left.page, read, signal });
  }
  // GitHub's own time: that of no machine here has a part in what is seen.
  if (read.newest) await raiseWatermark(database, 'redeliver', read.newest);
  await forgetPlace(database, unfinished);
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
      // Newest first: whatever succeeded later has been seen by now. If by a look that was cut short, it is asked for once for nothing.
      const failed = deliveries.filter(({ isSuccess, deliveryId }) => !isSuccess && !read.succeeded.has(deliveryId));
      await noteMissed(
        database,
        failed.map(({ id, deliveryId, deliveredAt }) => ({ attemptId: id, deliveryId, failedAt: deliveredAt })),
      );
      const [first] = deliveries;
      const { newest = first?.deliveredAt } = read;
      read.newest = first && newest && first.deliveredAt > newest ? first.deliveredAt : newest;
      if (next !== undefined && read.newest) await keepPlace(database, unfinished, { newest: read.newest, page: next });
    }
  } catch (error) {
    // A place that GitHub no longer knows would be asked for again and again.
    if (wanted.from !== undefined && error instanceof RunFailure) await forgetPlace(database, unfinished);
    throw error;
  }
}
