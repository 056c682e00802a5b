import { Parked } from '../errors.ts';
import type { Database } from '../store/postgres/database.ts';
import { type Block, findBlock } from '../store/tables/repositories/installations.ts';

/** Throws `Parked` during a rate limit: GitHub may ban an integration that ignores it. */
export async function assertUnblocked({ database }: { database: Database }, installationId: number): Promise<void> {
  assertBlockOver(await findBlock(database, installationId));
}

export function assertBlockOver(block: Block | undefined): void {
  if (block && !block.isOver) throw new Parked(block.until, 'GitHub’s rate limit was reached before');
}
