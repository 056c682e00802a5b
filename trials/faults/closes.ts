import { setTimeout as delay } from 'node:timers/promises';
import { eventually } from '../../harness/eventually.ts';
import type { RunKind } from './kinds/kind.ts';
import { countWorkspaces } from './leftovers.ts';
import type { ServiceProcess } from './processes/spawn-gated-service.ts';
import { type HeldRun, isOfQueue, type Tried } from './rounds/rounds.ts';
import type { Trial } from './trial.ts';
import type { World } from './world/world.ts';
import { listWrites } from './world/writes.ts';

/** Since the close; all pull requests close at once. */
const archivedWithinMs = 5_000;
const stopsWithinMs = 5_000;
/** Slightly more than the time between two renewals. */
const renewalMs = 2_500;

/**
 * A person closes the pull request at every point of a run: within seconds the job is archived and the run stops. It pushes nothing and
 * posts one reply.
 */
export async function tryCloses(trial: Trial, kind: RunKind): Promise<void> {
  const { world, rounds, ledger } = trial;
  const name = `closes: ${kind.name}`;
  const broken: string[] = [];
  let machine = '';
  const tried = await rounds.play([kind], {
    // A run that has ended cannot be stopped.
    points: (point) => !isOfQueue(point) && point !== 'after end 1',
    async disturb(worker, runs) {
      machine = worker.machine;
      broken.push(...(await closeAll(world, runs)));
      const writes = listWrites(world.github).length;
      // A run learns of the close at once or with its next renewal.
      await delay(renewalMs);
      worker.order({ release: true });
      const isIdle = async () => (await countLive(worker)) === 0 || undefined;
      await eventually(isIdle, { what: 'the worker releases its runs', withinMs: stopsWithinMs }).catch(
        (error: Error) => broken.push(error.message),
      );
      await worker.kill('SIGTERM');
      const names = new Map(runs.map(({ trialJob, point }) => [trialJob.project.fullName, point]));
      const added = listWrites(world.github).slice(writes);
      const wrong = added.filter((write) => !/^POST .*\/issues\/\d+\/comments$/.test(write));
      broken.push(
        ...wrong.map((write) => `${write} (${[...names].find(([project]) => write.includes(project))?.[1]})`),
      );
      for (const { trialJob } of runs) world.forgetTrialJob(trialJob);
      return world.spawnWorker({ CLAIMS: 'open' });
    },
  });
  broken.push(
    ...tried.flatMap((one) => describeWrong(one).map((text) => `${one.point}, ${one.trialJob.jobId}: ${text}`)),
  );
  ledger.count(14, name, tried.length, broken);
  await countWorkspaces(trial, name, machine);
}

/** Closes the pull requests. Returns the jobs that were not archived in time. */
async function closeAll(world: World, runs: readonly HeldRun[]): Promise<string[]> {
  const closedAt = new Map<string, number>();
  const tookMs = new Map<string, number>();
  for (const { trialJob } of runs) {
    closedAt.set(trialJob.jobId, performance.now());
    await world.rita.closePullRequest(trialJob.project.fullName, trialJob.pullRequest ?? 0);
  }
  const look = async () => {
    for (const jobId of await world.listArchived([...closedAt.keys()]))
      if (!tookMs.has(jobId)) tookMs.set(jobId, performance.now() - (closedAt.get(jobId) ?? 0));
    return tookMs.size === runs.length || undefined;
  };
  await eventually(look, { what: 'every job is archived' });
  const late = [...tookMs].filter(([, ms]) => ms > archivedWithinMs);
  return late.map(([jobId, ms]) => `${jobId} was archived ${Math.round(ms)} ms after the close`);
}

/** An archived job's run must answer its message with one comment, which it may have posted before. */
function describeWrong({ found }: Tried): string[] {
  const { status, runs, messages, comments, writes, faults } = found;
  const posted = writes.filter((write) => write.endsWith('/comments'));
  const isRight =
    status === 'archived' &&
    runs.join() === 'ended archived' &&
    messages.every((message) => message.startsWith('dropped')) &&
    comments.length === 1 &&
    posted.length === 1 &&
    faults.length === 0;
  return isRight ? [] : [JSON.stringify({ status, runs, messages, comments, posted, faults })];
}

/** From the worker's own metrics. */
async function countLive({ url }: ServiceProcess): Promise<number> {
  const metrics = await (await fetch(`${url}/metrics`)).text();
  return Number(/^pagewright_worker_live_runs (\d+)$/m.exec(metrics)?.[1]);
}
