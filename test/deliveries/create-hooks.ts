import { redeliverMissed } from '../../src/deliveries/reconcile/redeliver-missed.ts';
import type { HookDelivery } from '../../src/github/calls/delivery-calls.ts';
import { createSilentLog } from '../../src/log.ts';
import type { Database } from '../../src/store/postgres/database.ts';

const log = createSilentLog();
const { signal } = new AbortController();

/** One attempt that failed; `minutesAgo` is when it was. */
export const attempt = (id: number, deliveryId: string, minutesAgo: number): HookDelivery => ({
  attemptId: String(id),
  deliveryId,
  deliveredAt: new Date(Date.now() - minutesAgo * 60_000),
  status: 502,
  isSuccess: false,
});

/** A GitHub that made these attempts, which lists two on a page; and what it was asked. */
export function createHooks(database: Database, attempts: HookDelivery[]) {
  const since: Date[] = [];
  const from: (string | undefined)[] = [];
  const asked: string[] = [];
  let pages = 0;
  let cut: { afterPages: number; timeUp: AbortController } | undefined;
  const github = {
    async *listDeliveries(wanted: { since: Date; from?: string | undefined; signal: AbortSignal }) {
      since.push(wanted.since);
      from.push(wanted.from);
      const listed = attempts
        .filter(({ deliveredAt }) => deliveredAt >= wanted.since)
        .toSorted((one, other) => other.deliveredAt.getTime() - one.deliveredAt.getTime());
      const first = wanted.from === undefined ? 0 : listed.findIndex(({ attemptId }) => attemptId === wanted.from);
      for (let start = first; start >= 0 && start < listed.length; start += 2) {
        if (cut && pages === cut.afterPages) cut.timeUp.abort(new Error('the time is up'));
        wanted.signal.throwIfAborted();
        pages += 1;
        yield { deliveries: listed.slice(start, start + 2), next: listed[start + 2]?.attemptId };
      }
    },
    redeliver: async (attemptId: string) => void asked.push(attemptId),
  };
  return {
    attempts,
    since,
    from,
    asked,
    github,
    round: () => redeliverMissed({ database, github, log }, signal),
    /** A round whose time is up once it has read so many pages. */
    async cutShort(afterPages: number) {
      const timeUp = new AbortController();
      pages = 0;
      cut = { afterPages, timeUp };
      await redeliverMissed({ database, github, log }, signal, timeUp.signal);
      cut = undefined;
    },
  };
}
