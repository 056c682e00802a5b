import { Parked } from '../../errors.ts';
import type { Log } from '../../log.ts';
import { isDatabaseUnavailable } from '../../store/postgres/availability.ts';
import { realTiming } from '../../timing.ts';

/**
 * Does the work of a round, one item after the other, until all is done or the time is up. The latter is no failure: who gives the items
 * puts those first that wait for the longest, so the next round goes on. An item that fails stops no other and is logged, unless GitHub
 * wants to be left alone or `isPassing` says that the next round sees to it. Returns whether all of it was done. Throws the reason of
 * `signal`, and what shows that the database is away.
 */
export async function workThrough<Item>(
  items: readonly Item[],
  given: {
    log: Log;
    signal: AbortSignal;
    timeUp?: AbortSignal | undefined;
    /** What a failure is logged with. */
    about: (item: Item) => object;
    isPassing?: (error: unknown) => boolean;
    work: (item: Item, signal: AbortSignal) => Promise<void>;
  },
): Promise<boolean> {
  const {
    log,
    signal,
    timeUp = AbortSignal.timeout(realTiming.reconcile.roundMs),
    about,
    isPassing = () => false,
    work,
  } = given;
  const until = AbortSignal.any([signal, timeUp]);
  let isAllDone = true;
  for (const [index, item] of items.entries()) {
    try {
      await work(item, until);
    } catch (error) {
      if (isDatabaseUnavailable(error)) throw error;
      isAllDone = false;
      if (!until.aborted && !(error instanceof Parked || isPassing(error)))
        log.warn({ err: error, ...about(item) }, 'something could not be compared with GitHub');
    }
    signal.throwIfAborted();
    const left = items.length - index - 1;
    if (!timeUp.aborted || left === 0) continue;
    log.info({ left }, 'the time for comparing with GitHub is up: the next round goes on');
    return false;
  }
  return isAllDone;
}
