import { setTimeout as delay } from 'node:timers/promises';
import type { TrialJob } from './kinds/kind.ts';
import { firstRun } from './kinds/kinds.ts';
import { type DatabaseProxy, startDatabaseProxy } from './processes/database-proxy.ts';
import type { Point } from './processes/point.ts';
import type { ServiceProcess } from './processes/spawn-gated-service.ts';
import { compareOutcomes } from './rounds/compare.ts';
import { type Outcome, readOutcome, subtract } from './rounds/outcome.ts';
import { readBefore } from './rounds/rehearse.ts';
import type { Trial } from './trial.ts';
import { watchForMore } from './world/writes.ts';

const firstProject = 240;

/** Failures of the network between a worker and the database, while runs are live. */
const disturbances = {
  'cut off': (proxy: DatabaseProxy) => proxy.cut(),
  'half open': (proxy: DatabaseProxy) => proxy.halfOpen(),
  'slow by 300 ms': (proxy: DatabaseProxy) => proxy.delay(300),
};
/** One run waits at each of these points: its next step needs the database. */
const points = ['after begin 1', 'before store answer 1', 'before record push 1', 'before end 1'];

/** These last longer than a lease. */
const separations = ['cut off', 'half open'] as const;
/** The next step reaches GitHub, where nobody can check who owns the run. */
const pointsOfSeparated = ['before ask model 1', 'before push 1', 'before pull-request 1', 'before record push 1'];

interface LiveRun {
  trialJob: TrialJob;
  before: Outcome;
}

/**
 * A proxy breaks a worker's database connection: every run ends as usual, without a restart. Then again with a connected worker, which
 * takes the runs over.
 */
export async function tryNetwork({ world, rounds, ledger }: Trial, { seconds }: { seconds: number }): Promise<void> {
  const { outcome } = await rounds.rehearsed(firstRun);
  await rounds.stop();
  await using proxy = await startDatabaseProxy({ target: world.server.connection });
  const spawnBehindProxy = () => world.spawnWorker({ DATABASE_URL: proxy.databaseUrl });
  let nextProject = firstProject;

  const worker = await spawnBehindProxy();
  for (const [name, disturb] of Object.entries(disturbances)) {
    const trial = `network: ${name}`;
    const runs = await holdAt(worker, points);
    await disturb(proxy);
    worker.order({ release: true });
    await delay(seconds * 1_000);
    await proxy.pass();
    await world.settled(runs.map(({ trialJob }) => trialJob.jobId));
    await compare(trial, runs);
    ledger.count(17, trial, 1, worker.hasEnded() ? ['the process ended'] : []);
  }
  await worker.kill('SIGTERM');

  for (const name of separations) {
    const trial = `network: ${name}, with another worker`;
    const separated = await spawnBehindProxy();
    const second = await world.spawnHeir(separated, { isSameDisk: false });
    const runs = await holdAt(separated, pointsOfSeparated);
    const jobIds = runs.map(({ trialJob }) => trialJob.jobId);
    await disturbances[name](proxy);
    separated.order({ release: true });
    second.order({ claims: 'open' });
    await world.settled(jobIds);
    const listMore = await watchForMore(world, jobIds);
    await proxy.pass();
    // After its exit nothing more can come from it.
    await separated.kill('SIGTERM');
    ledger.count(3, trial, runs.length, await listMore());
    await compare(trial, runs);
    await second.kill('SIGTERM');
  }

  /** Resolves when a first run waits at each of these points in the worker, which claims nothing else. */
  async function holdAt(worker: ServiceProcess, points: readonly Point[]): Promise<LiveRun[]> {
    await worker.closeClaims();
    const runs = await Promise.all(
      points.map(async () => {
        nextProject += 1;
        const project = await world.project('plain', nextProject);
        const before = await readBefore(world, firstRun, { project, jobId: '', pullRequest: null, branch: null });
        return { before, trialJob: await world.createJob(project, firstRun.name) };
      }),
    );
    const plan = runs.map(({ trialJob: { jobId } }, nth) => ({ jobId, point: points[nth] ?? '' }));
    worker.order({ hold: plan });
    worker.order({ claims: 'open' });
    await worker.held(plan);
    return runs;
  }

  async function compare(trial: string, runs: readonly LiveRun[]): Promise<void> {
    for (const { trialJob, before } of runs) {
      const found = subtract(await readOutcome(world, trialJob), before);
      // The model's answers of that time could not be stored.
      const differences = compareOutcomes(outcome, found, { repeats: 1 });
      const broken = differences.map(({ text }) => `${trialJob.jobId}: ${text}`);
      for (const promise of [1, 17]) ledger.count(promise, trial, 1, broken);
      world.forgetTrialJob(trialJob);
    }
  }
}
