import type { GitHubApp } from '../github/app.ts';
import type { Tx } from '../store/database.ts';
import type { DeliveryFields } from '../store/delivery-fields.ts';
import type { Store } from '../store/store.ts';

export interface DeliveryParts extends Store {
  github: GitHubApp;
}

/** What a delivery does to our tables, in the transaction that marks it done; a string says why it does nothing. */
export type Apply = (tx: Tx) => Promise<string | undefined>;

/**
 * What one event means. Reads what it must from GitHub first, then returns what is to be written. Both halves may happen late,
 * twice, or after a newer delivery.
 */
export type EventHandler = (parts: DeliveryParts, fields: DeliveryFields) => Promise<Apply>;
