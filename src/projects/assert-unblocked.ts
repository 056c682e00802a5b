import { Parked } from '../errors.ts';
import { findBlockedUntil } from '../store/installations.ts';
import type { Store } from '../store/store.ts';

/** Throws `Parked` while GitHub wants this installation to ask nothing. Whoever goes on asking all the same may be locked out. */
export async function assertUnblocked({ database }: Pick<Store, 'database'>, installationId: number): Promise<void> {
  const until = await findBlockedUntil(database, installationId);
  if (until) throw new Parked(until, 'GitHub’s rate limit was reached before');
}
