import { sql } from 'kysely';
import type { Database } from '../postgres/database.ts';

export const jobChannel = 'pagewright_job';

/** The worker that holds the job reads its flags on commit. A lost signal only delays: each renewal of a lease reads them, too. */
export async function signalJob(tx: Database, jobId: string): Promise<void> {
  await sql`select pg_notify(${jobChannel}, ${jobId})`.execute(tx);
}
