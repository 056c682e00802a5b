import { Parked } from '../../errors.ts';
import { GitHubRefusal } from '../../github/refusals/github-refusal.ts';
import type { Log } from '../../log.ts';
import { isDatabaseUnavailable } from '../../store/postgres/availability.ts';
import { realTiming } from '../../timing.ts';

interface Round<Item> {
  signal: AbortSignal;
  timeUp?: AbortSignal | undefined;
  isExpected?: (error: unknown) => boolean;
  reconcile: (item: Item, signal: AbortSignal) => Promise<void>;
}

/**
 * Reconciles one item after the other until all are done or the time is up. List the items that have waited longest first: the next round
 * continues there. Logs an item that fails and continues, but does not log rate limits, nor errors that `isExpected`. Returns whether all
 * items succeeded. Throws the reason of `signal`, and errors that mean the database is unavailable.
 */
export async function reconcileEach<Item>(
  items: readonly Item[],
  options: Round<Item> & {
    log: Log;
    /** The ids for the log. */
    about: (item: Item) => object;
  },
): Promise<boolean> {
  const { log, signal, about, reconcile } = options;
  const { timeUp = AbortSignal.timeout(realTiming.reconcile.roundMs), isExpected = () => false } = options;
  const until = AbortSignal.any([signal, timeUp]);
  let isAllDone = true;
  for (const [index, item] of items.entries()) {
    try {
      await reconcile(item, until);
    } catch (error) {
      if (isDatabaseUnavailable(error)) throw error;
      isAllDone = false;
      if (!until.aborted && !(error instanceof Parked || isExpected(error)))
        log.warn({ err: error, ...about(item) }, 'could not reconcile with GitHub; the next round retries');
    }
    signal.throwIfAborted();
    const left = items.length - index - 1;
    if (!timeUp.aborted || left === 0) continue;
    log.info({ left }, 'out of time for reconciling with GitHub; the next round continues');
    return false;
  }
  return isAllDone;
}

/** The same for projects. Unless `isExpected` is given, refusals of GitHub are expected. */
export const reconcileProjects = <Item extends { project_id: string }>(
  { log }: { log: Log },
  projects: readonly Item[],
  { isExpected = (error) => error instanceof GitHubRefusal, ...round }: Round<Item>,
): Promise<boolean> =>
  reconcileEach(projects, {
    ...round,
    log,
    isExpected,
    about: ({ project_id: projectId }) => ({ projectId }),
  });
