import { sql } from 'kysely';
import { firstRun } from './kinds/kinds.ts';
import type { Trial } from './trial.ts';

const slots = 2;

/** With a hundred queued jobs of one project, another project's first job is claimed next. */
export async function tryFairness({ world, rounds, ledger }: Trial, { queued }: { queued: number }): Promise<void> {
  await rounds.stop();
  const busy = await world.project('plain', 90);
  const other = await world.project('plain', 91);
  const backlog = await Promise.all(Array.from({ length: queued }, () => world.createJob(busy, firstRun.name)));
  const worker = await world.spawnWorker({ CLAIMS: 'open', WORKER_CONCURRENCY: String(slots) });
  await world.settled(backlog.slice(0, 1).map(({ jobId }) => jobId));
  const trialJob = await world.createJob(other, firstRun.name);
  await world.settled([trialJob.jobId]);
  const { rows } = await sql<{ between: number }>`
    select count(*)::int as between from runs
    where job_id <> ${trialJob.jobId}
      and started_at > (select created_at from jobs where job_id = ${trialJob.jobId})
      and started_at < (select started_at from runs where job_id = ${trialJob.jobId})`.execute(world.database);
  const between = rows[0]?.between ?? 0;
  ledger.count(25, 'fairness', 1, between > 1 ? [`${between} runs of the other project started before it`] : []);
  await Promise.all(backlog.map(({ jobId }) => world.archive(busy, jobId)));
  await worker.kill('SIGTERM');
  world.forgetTrialJob(trialJob);
}
