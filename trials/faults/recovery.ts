import { eventually } from '../../harness/eventually.ts';
import { onBusyMachine } from '../../harness/on-busy-machine.ts';
import { firstRun } from './kinds/kinds.ts';
import type { Trial } from './trial.ts';

const goesOnWithinMs = 30_000;
const halfWithinMs = 15_000;

/** SIGKILL in the middle of a run: the lease has to run out. Returns how long each recovery took, in milliseconds. */
export async function tryRecoveries({ world, rounds, ledger }: Trial, { count }: { count: number }): Promise<number[]> {
  await rounds.stop();
  const heir = await world.spawnWorker();
  const victims = await Promise.all(
    Array.from({ length: count }, () => world.spawnWorker({ WORKER_CONCURRENCY: '1' })),
  );
  const held = [];
  for (const [index, victim] of victims.entries()) {
    const trialJob = await world.createJob(await world.project('plain', 200 + index), firstRun.name);
    const plan = [{ jobId: trialJob.jobId, point: 'after store answer 1' }];
    victim.order({ hold: plan });
    victim.order({ claims: 'open' });
    await victim.held(plan);
    held.push({ victim, trialJob });
  }
  heir.order({ hold: [] });
  heir.order({ claims: 'open' });
  const took = await Promise.all(
    held.map(async ({ victim, trialJob }) => {
      const killedAt = performance.now();
      await victim.kill('SIGKILL');
      const isGoingOn = () =>
        heir.reports.some(({ jobId, point }) => jobId === trialJob.jobId && point === 'before store results 1') ||
        undefined;
      await eventually(isGoingOn, { what: 'the run resumes', withinMs: onBusyMachine(45_000), everyMs: 40 }).catch(
        () => {},
      );
      return performance.now() - killedAt;
    }),
  );
  await world.settled(held.map(({ trialJob }) => trialJob.jobId));
  const sorted = took.toSorted((a, b) => a - b);
  const late = sorted
    .filter((ms) => ms > onBusyMachine(goesOnWithinMs))
    .map((ms) => `a run resumed after ${Math.round(ms)} ms`);
  const median = sorted[Math.floor((sorted.length - 1) / 2)] ?? 0;
  if (median > onBusyMachine(halfWithinMs)) late.push(`the median run resumed after ${Math.round(median)} ms`);
  ledger.count(10, 'recovery', count, late);
  await heir.kill('SIGTERM');
  return sorted;
}
