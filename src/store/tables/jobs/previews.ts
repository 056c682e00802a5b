import type { Database } from '../../postgres/database.ts';
import type { Row } from '../schema.ts';

export const findPreview = (tx: Database, jobId: string): Promise<Row<'previews'> | undefined> =>
  tx.selectFrom('previews').selectAll().where('job_id', '=', jobId).executeTakeFirst();

export async function storePreview(tx: Database, preview: Row<'previews'>): Promise<void> {
  await tx
    .insertInto('previews')
    .values(preview)
    .onConflict((conflict) => conflict.column('job_id').doUpdateSet({ url: preview.url, sha: preview.sha }))
    .execute();
}
