import type { Person } from '../../github/calls/people-calls.ts';
import { pause } from '../../pause.ts';
import { isOlderInstructionStored } from '../../store/tables/repositories/deliveries.ts';
import type { Project } from '../../store/tables/repositories/projects.ts';
import { type DeliveryContext, ignoredBecause } from '../delivery-context.ts';

/**
 * Lets older instructions go first, then asks what the person may do, because access may end meanwhile. Returns when to try again, or why the
 * instruction is ignored. Call it before any other request to GitHub: a stranger's comment must not cause one.
 */
export async function admit(
  context: DeliveryContext,
  { project, person, isStop }: { project: Project; person: Person; isStop: boolean },
): Promise<Date | string | undefined> {
  const again = isStop ? undefined : await waitForOlder(context);
  if (again) return again;
  const isAllowed = isStop ? context.isTrusted : context.mayPrompt;
  const { signal } = context;
  return (await isAllowed({ project, person, signal })) ? undefined : ignoredBecause.noWriteAccess;
}

/**
 * Messages keep the order of their comments and reviews on GitHub, so this waits for the older ones of the pull request. Returns when to try
 * again if one of them is still pending.
 */
async function waitForOlder(options: DeliveryContext): Promise<Date | undefined> {
  const { database, deliveryId, receivedAt, signal, timing } = options;
  const { youngCommentMs, olderCommentMs, commentRetryMs, lookForOlderEveryMs } = timing.deliveries;
  const ageMs = Date.now() - receivedAt.getTime();
  const until = Date.now() + (ageMs < youngCommentMs ? olderCommentMs : 0);
  // One that has waited for minutes waits for GitHub, not for its turn among many.
  const retryMs = Math.min(commentRetryMs, Math.max(olderCommentMs, ageMs / 60));
  while (await isOlderInstructionStored(database, deliveryId)) {
    if (Date.now() >= until) return new Date(Date.now() + retryMs);
    await pause(lookForOlderEveryMs, signal);
  }
  return undefined;
}
