import type { Store } from '../store/store.ts';
import type { AutomationKey } from '../store/tables/automations/occasions.ts';
import type { AutomationParts } from './automation-parts.ts';
import { listRecentMerges } from './list-recent.ts';
import { type Prepared, prepareRun, type RunRequest, runAutomation } from './run-automation.ts';
import { runDue } from './run-due.ts';

export type Automations = ReturnType<typeof createAutomations>;

/** What starts automations: the queue, and people. */
export const createAutomations = (parts: AutomationParts) => ({
  /** Takes up what waits, if the automation is due. Idempotent. Throws errors for the queue to retry. */
  runDue: (key: AutomationKey, signal: AbortSignal) => runDue(parts, key, signal),
  /** Asks GitHub, before the transaction of `run`. Throws where GitHub does not answer. */
  prepare: (asked: RunRequest, signal: AbortSignal) => prepareRun(parts, asked, signal),
  /** What was merged lately where it looks, to pick from. Throws where GitHub does not answer. */
  listRecent: (key: AutomationKey, signal: AbortSignal) => listRecentMerges(parts, key, signal),
  /** Joins the transaction of `store`. `author`: who asks. */
  run: (store: Store, prepared: Prepared, asked: { author: string }) => runAutomation(store, parts, prepared, asked),
});
