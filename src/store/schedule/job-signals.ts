import { type Kysely, sql } from 'kysely';
import type { Tables } from '../tables/schema.ts';

export const jobChannel = 'pagewright_job';

/** The worker that holds the job reads its flags on commit. A lost signal only delays: each renewal of a lease reads them, too. */
export async function signalJob(tx: Kysely<Tables>, jobId: string): Promise<void> {
  await sql`select pg_notify(${jobChannel}, ${jobId})`.execute(tx);
}
