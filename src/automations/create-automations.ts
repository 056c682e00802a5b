import type { Store } from '../store/store.ts';
import type { AutomationKey } from '../store/tables/automations/occasions.ts';
import type { AutomationParts } from './automation-parts.ts';
import { listRecentMerges, type RecentMerges } from './list-recent.ts';
import { type NotRun, type Prepared, prepareRun, type RunRequest, runAutomation } from './run-automation.ts';
import { runDue } from './run-due.ts';
import type { TakenUp } from './take-up.ts';

/** What starts automations: the queue, and people. */
export interface Automations {
  /** Takes up what waits, if the automation is due. Idempotent. Throws errors for the queue to retry. */
  runDue(key: AutomationKey, signal: AbortSignal): Promise<void>;
  /** Asks GitHub, before the transaction of `run`. Throws where GitHub does not answer. */
  prepare(asked: RunRequest, signal: AbortSignal): Promise<Prepared | NotRun>;
  /** What was merged lately where it looks, to pick from. Throws where GitHub does not answer. */
  listRecent(key: AutomationKey, signal: AbortSignal): Promise<RecentMerges>;
  /** Joins the transaction of `store`. `author`: who asks. */
  run(store: Store, prepared: Prepared, asked: { author: string }): Promise<TakenUp>;
}

export const createAutomations = (parts: AutomationParts): Automations => ({
  runDue: (key, signal) => runDue(parts, key, signal),
  prepare: (asked, signal) => prepareRun(parts, asked, signal),
  listRecent: (key, signal) => listRecentMerges(parts, key, signal),
  run: (store, prepared, asked) => runAutomation(store, parts, prepared, asked),
});
