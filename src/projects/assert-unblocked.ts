import { Parked } from '../errors.ts';
import { type Block, findBlock } from '../store/installations.ts';
import type { Store } from '../store/store.ts';

/** Throws `Parked` while GitHub wants this installation to ask nothing. Whoever goes on asking all the same may be locked out. */
export async function assertUnblocked({ database }: Pick<Store, 'database'>, installationId: number): Promise<void> {
  assertOver(await findBlock(database, installationId));
}

/** The same of a block that was read. */
export function assertOver(block: Block | undefined): void {
  if (block && !block.isOver) throw new Parked(block.until, 'GitHub’s rate limit was reached before');
}
