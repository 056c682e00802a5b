import type { GitHubApp } from '../../github/auth/app.ts';
import { GitHubRefusal } from '../../github/refusals/github-refusal.ts';
import type { Log } from '../../log.ts';
import type { Database } from '../../store/postgres/database.ts';
import {
  claimMissedDelivery,
  markRedeliveryRequested,
  recordMissedDeliveries,
} from '../../store/tables/repositories/redeliveries.ts';
import {
  deleteListPosition,
  findListPosition,
  findWatermark,
  raiseWatermark,
  storeListPosition,
} from '../../store/tables/repositories/watermarks.ts';

/** The rest of the round requests redeliveries. */
const lookForMissedMs = 4 * 60_000;

interface MissedParts {
  database: Database;
  log: Log;
  github: { listDeliveries: GitHubApp['listDeliveries']; redeliver: GitHubApp['redeliver'] };
}

/** GitHub redelivers for three days: https://docs.github.com/webhooks/testing-and-troubleshooting-webhooks/redelivering-webhooks */
const redeliverableMs = 3 * 24 * 3600_000;
/** A delivery may fail after the last look, and is listed some time later. */
const overlapMs = 15 * 60_000;
const maxPerRound = 200;

/** Stores where a look ran out of time. */
const unfinished = 'redeliver: unfinished look';

/**
 * Asks GitHub to redeliver failed webhooks, oldest first, with growing pauses, for three days. GitHub does not do that itself. A redelivery
 * has the id of the original, so a duplicate changes nothing. If listing fails or runs out of time, this still redelivers the known ones, and
 * the next round continues the listing.
 */
export async function redeliverMissed(
  parts: MissedParts,
  signal: AbortSignal,
  timeUp = AbortSignal.timeout(lookForMissedMs),
): Promise<void> {
  const failures: unknown[] = [];
  await recordFailures(parts, AbortSignal.any([signal, timeUp])).catch((error: unknown) => failures.push(error));
  signal.throwIfAborted();
  const isCutShort = failures.length > 0 && timeUp.aborted;
  if (isCutShort) parts.log.info('out of time for listing deliveries; the next round continues');
  await redeliverKnown(parts, signal);
  if (failures.length > 0 && !isCutShort) throw failures[0];
}

async function redeliverKnown({ database, github, log }: MissedParts, signal: AbortSignal): Promise<void> {
  for (let count = 0; count < maxPerRound; count += 1) {
    // Counts the try first: a delivery that GitHub fails on must not block the others.
    const missed = await claimMissedDelivery(database);
    if (!missed) return;
    const { deliveryId, attemptId, tries } = missed;
    log.info({ deliveryId, tries }, 'asking GitHub to redeliver a missed webhook');
    await github.redeliver(attemptId, signal);
    await markRedeliveryRequested(database, missed);
  }
}

/** Records what failed since the last look. After an unfinished look, reads the newer deliveries first and then continues there. */
async function recordFailures(parts: MissedParts, signal: AbortSignal): Promise<void> {
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
  // By GitHub's clock.
  if (read.newest) await raiseWatermark(database, 'redeliver', read.newest);
  await deleteListPosition(database, unfinished);
}

interface Reading {
  succeeded: Set<string>;
  newest: Date | undefined;
}

/** Reads page by page, from the newest or a stored position, and stores the position after each page. */
async function readDown(
  { database, github }: MissedParts,
  { since, from, read, signal }: { since: Date; from?: string; read: Reading; signal: AbortSignal },
): Promise<void> {
  try {
    for await (const { deliveries, next } of github.listDeliveries({
      since,
      ...(from !== undefined && { from }),
      signal,
    })) {
      for (const { isSuccess, deliveryId } of deliveries) if (isSuccess) read.succeeded.add(deliveryId);
      // A later success is newer, so it was read before. If an earlier look read it, one redundant redelivery does no harm.
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
    // GitHub may no longer know the position: every round would fail there.
    if (from !== undefined && error instanceof GitHubRefusal) await deleteListPosition(database, unfinished);
    throw error;
  }
}
