import { availableParallelism } from 'node:os';
import { createRandom } from '../../../harness/trials/random.ts';
import type { Figure } from '../../figures/figure.ts';
import { type Demand, simulate } from '../../simulation/simulate.ts';
import { describePoint, measureFleets, type Point } from './scale.ts';

/** `WORKER_CONCURRENCY` of the measured workers. */
const slots = 4;
const cores = availableParallelism();
const atMost = 1.25;
/** Of simulated machines. */
const workerCores = 2;
const postgresCores = 4;
const fleets = [1, 4, 16, 64];
const modelMs = 120_000;

/**
 * Measures 1, 2, 4 and 8 workers on this machine, simulates the same with the needs of a run of one worker, and compares. Then simulates
 * workers on separate machines, which cannot be measured here. Takes four minutes.
 */
export async function benchSimulate(counts: readonly number[]): Promise<Figure[]> {
  const points = await measureFleets(counts);
  const [first] = points;
  if (!first) return [];
  const needs = readNeeds(first);
  return [
    ...points.flatMap(describePoint),
    {
      what: 'a run needs',
      measured: `${needs.worker.toFixed(0)} ms of processor time, ${needs.postgres.toFixed(0)} ms of PostgreSQL’s, and ${needs.waiting.toFixed(0)} ms of waiting`,
    },
    ...points.map((point) => compare(point, needs)),
    ...fleets.map((workers) => describeFleet(workers, { ...needs, worker: first.use.workers })),
    describeLive({ ...needs, worker: first.use.workers }),
  ];
}

/** Callers, web processes and stand-ins share the measured machine with the workers. */
function readNeeds({ use, aloneMs, coresFreeAlone }: Point): Demand {
  const worker = use.workers + use.web + use.standIns;
  const busyMs = ((worker + use.postgres) * cores) / coresFreeAlone;
  return { worker, postgres: use.postgres, waiting: Math.max(0, aloneMs - busyMs) };
}

const random = () => {
  const { between } = createRandom(1);
  return () => between(0, 1);
};

/** Other work on the machine slows all of its processors. */
function compare({ workers, runsPerSecond, coresFree }: Point, { worker, postgres, waiting }: Demand): Figure {
  const slowness = cores / coresFree;
  const needs = { worker: worker * slowness, postgres: postgres * slowness, waiting };
  const machines = { workers, slots, workerCores: cores, postgresCores: cores, isOneMachine: true };
  const simulated = simulate(needs, machines, random()).runsPerSecond;
  const ratio = simulated / runsPerSecond;
  return {
    what: `${workers} on this machine`,
    measured: `${simulated.toFixed(2)} runs a second simulated, ${runsPerSecond.toFixed(2)} measured: ${ratio.toFixed(2)}`,
    goal: { text: `1 / ${atMost} to ${atMost}`, isMet: ratio <= atMost && ratio >= 1 / atMost },
  };
}

function describeFleet(workers: number, needs: Demand): Figure {
  const machines = { workers, slots, workerCores, postgresCores, isOneMachine: false };
  const { runsPerSecond, postgresBusy, workersBusy } = simulate(needs, machines, random());
  const percent = (share: number) => `${(100 * share).toFixed(0)} %`;
  return {
    what: `${workers} machines with ${workerCores} cores, PostgreSQL with ${postgresCores}`,
    measured: `${runsPerSecond.toFixed(1)} runs a second simulated; workers ${percent(workersBusy)} busy, PostgreSQL ${percent(postgresBusy)}`,
  };
}

/** With the time of a model, a machine needs slots, not processors. */
function describeLive({ worker, postgres }: Demand): Figure {
  const perMachine = (1_000 * workerCores) / worker;
  const perPostgres = (1_000 * postgresCores) / postgres;
  return {
    what: `with ${modelMs / 1_000} s of model time in a run`,
    measured: `a busy machine has ${Math.round((perMachine * modelMs) / 1_000)} live runs, a busy PostgreSQL ${Math.round((perPostgres * modelMs) / 1_000)} and ${perPostgres.toFixed(0)} runs a second`,
  };
}
