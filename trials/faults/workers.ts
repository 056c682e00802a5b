import { setTimeout as delay } from 'node:timers/promises';
import { sql } from 'kysely';
import { createRandom } from '../../harness/random.ts';
import { createSilentLog } from '../../src/log.ts';
import { createDatabase } from '../../src/store/postgres/database.ts';
import { inLease, type Lease } from '../../src/store/schedule/lease.ts';
import { createWorker } from '../../src/worker/worker.ts';
import { firstRun } from './kinds/kinds.ts';
import type { Trial } from './trial.ts';

const writesPerRun = 10;

/**
 * Twenty workers on one job that keeps losing its lease: their writes must never alternate. Each write notes its epoch in the order of the
 * database.
 */
export async function tryWorkers(
  { world, rounds, ledger, seed }: Trial,
  { count, seconds }: { count: number; seconds: number },
) {
  await rounds.stop();
  const random = createRandom(seed);
  const log = createSilentLog();
  const database = createDatabase({ connection: world.server.connection, log, max: count });
  await sql`create table if not exists epochs (seq bigserial, epoch int not null)`.execute(database);
  const trialJob = await world.createJob(await world.project('plain', 99), firstRun.name);
  const { jobId } = trialJob;
  const workers = Array.from({ length: count }, (_, index) =>
    createWorker({ database, name: `worker-${index}`, concurrency: 1, execute, log }),
  );
  const until = performance.now() + seconds * 1_000;
  while (performance.now() < until) {
    for (const worker of workers) worker.claimDueJobs();
    await delay(random.between(0, 40));
    await sql`update jobs set lease_until = now() where job_id = ${jobId}`.execute(database);
  }
  await Promise.all(workers.map((worker) => worker.stop()));
  const { rows } = await sql<{ epoch: number }>`select epoch from epochs order by seq`.execute(database);
  const backwards = rows.filter(({ epoch }, index) => epoch < (rows[index - 1]?.epoch ?? 0));
  ledger.count(
    3,
    'workers',
    rows.length,
    backwards.map(({ epoch }) => `epoch ${epoch} wrote after a later one`),
  );
  await sql`update jobs set status = 'failed', due_at = null, lease_owner = null, lease_until = null where job_id = ${jobId}`.execute(
    database,
  );
  await sql`update messages set state = 'dropped' where job_id = ${jobId}`.execute(database);
  await sql`drop table epochs`.execute(database);
  await database.destroy();
  world.forgetTrialJob(trialJob);

  async function execute(lease: Lease): Promise<void> {
    for (let write = 0; write < writesPerRun; write += 1) {
      await inLease(database, lease, async (tx) => {
        await sql`insert into epochs (epoch) values (${lease.epoch})`.execute(tx);
      });
      await delay(5);
    }
  }
}
