import { findJob } from '../store/tables/jobs.ts';
import type { HeldRun, RunParts } from './run-parts.ts';

/** A run with its job as it is now: what it targets may have changed while the run worked. */
export async function readJobAnew<Given extends HeldRun>({ database }: RunParts, given: Given): Promise<Given> {
  const { lease } = given;
  const job = await findJob(database, lease);
  if (!job) throw new Error(`there is no job ${lease.jobId}`);
  return { ...given, job };
}
