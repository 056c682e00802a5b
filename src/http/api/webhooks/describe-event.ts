import type { DescribeEvent } from '../../../outbound/deliver.ts';
import { listRunsOfJob } from '../../../store/lists/list-runs.ts';
import type { Database } from '../../../store/postgres/database.ts';
import { findRun } from '../../../store/tables/jobs/runs.ts';
import { toJobResource } from '../jobs/job-resource.ts';
import { toRunsResource } from '../runs/runs-resource.ts';

/** Describes events as the API describes their job and run. */
export const createDescribeEvent =
  ({ database, webUrl }: { database: Database; webUrl: string }): DescribeEvent =>
  async (job, runId) => ({
    job: toJobResource(job, job, webUrl),
    run: runId === null ? null : await readRun(database, runId),
  });

async function readRun(database: Database, runId: string): Promise<object> {
  const found = await findRun(database, runId);
  if (!found) throw new Error(`run ${runId} does not exist`);
  const page = await listRunsOfJob(database, found.job_id, { limit: 1, after: found.number + 1 });
  const [run] = toRunsResource(page).runs;
  if (run?.id !== runId) throw new Error(`could not read run ${runId}`);
  return run;
}
