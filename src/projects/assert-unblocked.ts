import { Parked } from '../errors.ts';
import type { Store } from '../store/store.ts';
import { type Block, findBlock } from '../store/tables/installations.ts';

/** Throws `Parked` while GitHub wants this installation to ask nothing. GitHub may lock out whoever asks all the same. */
export async function assertUnblocked({ database }: Pick<Store, 'database'>, installationId: number): Promise<void> {
  assertBlockOver(await findBlock(database, installationId));
}

/** The same, for a block that was read already. */
export function assertBlockOver(block: Block | undefined): void {
  if (block && !block.isOver) throw new Parked(block.until, 'GitHub’s rate limit was reached before');
}
