import type { GitHubApp } from '../github/auth/app.ts';
import type { Log } from '../log.ts';
import type { OpenProject } from '../projects/open-project.ts';
import type { Store, StoreTx } from '../store/store.ts';
import type { DeliveryFields } from '../store/tables/delivery-fields.ts';
import type { MayPrompt } from './instructions/may-prompt.ts';

/** What deliveries are processed with. */
export interface DeliveryParts extends Store {
  github: GitHubApp;
  openProject: OpenProject;
  mayPrompt: MayPrompt;
  log: Log;
}

/** A delivery as it was stored. `signal` ends its processing. */
export interface ReceivedDelivery {
  deliveryId: string;
  fields: DeliveryFields;
  /** By this machine's clock. */
  receivedAt: Date;
  signal: AbortSignal;
}

/**
 * What a delivery does to our tables, in the transaction that marks it done. A string says why it does nothing; a moment says that it is not
 * done yet, and when to process it again.
 */
export type Apply = (store: StoreTx) => Promise<string | Date | undefined>;

/**
 * What one event means. Reads what it must from GitHub first, then returns what is to be written. Both halves may happen late,
 * twice, or after a newer delivery. A string says why there is nothing to do.
 */
export type EventHandler = (parts: DeliveryParts, delivery: ReceivedDelivery) => Promise<Apply | string>;
