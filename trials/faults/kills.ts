import { setTimeout as delay } from 'node:timers/promises';
import { eventually } from '../../harness/eventually.ts';
import { createRandom } from '../../harness/random.ts';
import { countTried } from './crash.ts';
import type { RunKind, TrialJob } from './kinds/kind.ts';
import { allKinds } from './kinds/kinds.ts';
import type { ServiceProcess } from './processes/spawn-gated-service.ts';
import { compareOutcomes } from './rounds/compare.ts';
import { readOutcome, subtract } from './rounds/outcome.ts';
import { begin, prepareTrialJob, readBefore } from './rounds/rehearse.ts';
import type { Trial } from './trial.ts';

const runsPerKill = 2;
const projects = 24;
/** Slightly longer than most undisturbed runs. */
const longestMs = 700;
/** By turns, the next worker has the killed worker's disk or another. */
const diskOf = (seed: number) => (Math.floor(seed / 2) % 2 === 0 ? 'a' : 'b');

/**
 * For each seed from `seed` on, SIGKILL at a random moment of two random runs; a standby worker continues. The signal ends the trial
 * between two kills.
 */
export async function tryKills(
  { world, rounds, ledger, seed: firstSeed }: Trial,
  {
    count,
    kinds = allKinds,
    signal,
    onLeft = () => {},
  }: { count: number; kinds?: readonly [RunKind, ...RunKind[]]; signal: AbortSignal; onLeft?: (what: string) => void },
): Promise<void> {
  for (const kind of kinds) await rounds.rehearsed(kind);
  await rounds.stop();
  let worker = await world.spawnWorker({ machine: diskOf(firstSeed - 1) });
  const spawnHeir = (seed: number) => world.spawnWorker({ machine: diskOf(seed) });
  // Two workers ahead, so that no kill waits for a start.
  let [heir, next] = [spawnHeir(firstSeed), spawnHeir(firstSeed + 1)];
  let seed = firstSeed;
  for (; seed < firstSeed + count && !signal.aborted; seed += 1) {
    worker = await kill(seed, worker, await heir);
    [heir, next] = [next, spawnHeir(seed + 2)];
  }
  for (const left of [worker, await heir, await next]) await left.kill('SIGTERM');
  const end = firstSeed + count;
  if (seed < end) onLeft(`the kills from --seed ${seed} to ${end - 1}`);

  async function kill(seed: number, victim: ServiceProcess, heir: ServiceProcess): Promise<ServiceProcess> {
    const random = createRandom(seed);
    const trial = `kills: --seed ${seed}`;
    const chosen = Array.from({ length: runsPerKill }, (_, index) => ({
      kind: random.pick(kinds),
      nth: 1 + ((seed * runsPerKill + index) % projects),
    }));
    const cast = await Promise.all(
      chosen.map(async ({ kind, nth }) => {
        const trialJob = await prepareTrialJob(world, kind, nth, victim);
        return { kind, trialJob, before: await readBefore(world, kind, trialJob) };
      }),
    );
    await victim.closeClaims();
    victim.order({ hold: [] });
    const begun = await Promise.all(
      cast.map(async (one) => ({ ...one, trialJob: await begin(world, one.kind, one.trialJob) })),
    );
    const jobIds = begun.map(({ trialJob }) => trialJob.jobId);
    victim.order({ claims: 'open' });
    const isAtOne = () => victim.reports.some(({ jobId }) => jobIds.includes(jobId)) || undefined;
    await eventually(isAtOne, { what: 'the worker has a run', everyMs: 5 });
    await delay(random.between(0, longestMs));
    await victim.kill('SIGKILL');
    const left = await world.expireLeases(victim);
    heir.order({ claims: 'open' });
    const unsettled = await world.settled(jobIds).then(
      () => [],
      (error: Error) => [error.message],
    );
    // A run that has not begun or has ended could not be lost.
    ledger.count(2, trial, left.length, unsettled);
    for (const one of begun) {
      await compare(trial, one, { isTried: left.includes(one.trialJob.jobId) });
      await world.refreshTrialJob(one.trialJob);
      if (unsettled.length > 0) world.forgetTrialJob(one.trialJob);
    }
    return heir;
  }

  async function compare(
    trial: string,
    { kind, trialJob, before }: { kind: RunKind; trialJob: TrialJob; before: Parameters<typeof subtract>[1] },
    { isTried }: { isTried: boolean },
  ) {
    const { outcome } = await rounds.rehearsed(kind);
    const found = subtract(await readOutcome(world, trialJob), before);
    const differences = compareOutcomes(outcome, found, { repeats: 1 });
    if (isTried || differences.length > 0)
      countTried(ledger, trial, [{ kind, point: `some time in ${kind.name}`, trialJob, outcome, found, differences }]);
  }
}
