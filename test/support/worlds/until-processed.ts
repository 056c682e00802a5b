import { eventually } from '../../../harness/eventually.ts';
import type { World } from './world.ts';

/** Resolves when every webhook that was sent so far is processed. */
export async function untilProcessed({ github, database }: World): Promise<void> {
  await github.deliveries.settled();
  const stored = database.database.selectFrom('deliveries').select('delivery_id').where('state', '=', 'stored');
  await eventually(async () => (await stored.executeTakeFirst()) === undefined || undefined);
}
