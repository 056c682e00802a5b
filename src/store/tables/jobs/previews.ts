import type { Kysely } from 'kysely';
import type { Row, Tables } from '../schema.ts';

export const findPreview = (tx: Kysely<Tables>, jobId: string): Promise<Row<'previews'> | undefined> =>
  tx.selectFrom('previews').selectAll().where('job_id', '=', jobId).executeTakeFirst();

export async function storePreview(tx: Kysely<Tables>, preview: Row<'previews'>): Promise<void> {
  await tx
    .insertInto('previews')
    .values(preview)
    .onConflict((conflict) => conflict.column('job_id').doUpdateSet({ url: preview.url, sha: preview.sha }))
    .execute();
}
