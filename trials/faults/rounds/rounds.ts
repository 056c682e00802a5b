import type { Fault } from '../../../harness/judge-job.ts';
import type { RunKind, TrialJob } from '../kinds/kind.ts';
import type { Point } from '../processes/point.ts';
import type { ServiceProcess } from '../processes/spawn-gated-service.ts';
import type { World } from '../world/world.ts';
import { compareOutcomes } from './compare.ts';
import { type Outcome, readOutcome, subtract } from './outcome.ts';
import { begin, prepareTrialJob, type Rehearsal, readBefore, rehearse } from './rehearse.ts';

export interface HeldRun {
  trialJob: TrialJob;
  point: Point;
}

export interface Tried {
  kind: RunKind;
  point: Point;
  trialJob: TrialJob;
  outcome: Outcome;
  found: Outcome;
  differences: Fault[];
}

/** Holds one run at every point of some kinds in one worker and disturbs that worker. Every run must end as it would have undisturbed. */
export function createRounds(world: World) {
  const rehearsals = new Map<string, Rehearsal>();
  let worker: ServiceProcess | undefined;

  const ensureWorker = async () => {
    if (worker && !worker.hasEnded()) return worker;
    worker = await world.spawnWorker();
    return worker;
  };

  async function rehearsed(kind: RunKind): Promise<Rehearsal> {
    const known = rehearsals.get(kind.name);
    // Not even a worker of the rounds may run beside a trial's workers: it would take their runs.
    if (known) return known;
    const current = await ensureWorker();
    current.order({ claims: 'open' });
    const rehearsal = await rehearse(world, kind, current);
    rehearsals.set(kind.name, rehearsal);
    return rehearsal;
  }

  return {
    rehearsed,
    /** `disturb` gets the worker in which all runs wait, and returns the worker that continues, with open claims. */
    async play(
      kinds: readonly RunKind[],
      {
        points: wanted = (point) => !isOfQueue(point),
        disturb,
        repeats = (kind, point) => (isAnswerInHand(point) || isRefusalInHand(kind, point) ? 1 : 0),
      }: {
        points?: (point: Point) => boolean;
        /** How often the model may get the same request again after a disturbance there. */
        repeats?: (kind: RunKind, point: Point) => number;
        disturb: (worker: ServiceProcess, runs: readonly HeldRun[]) => Promise<ServiceProcess>;
      },
    ): Promise<Tried[]> {
      const played = [];
      for (const kind of kinds) played.push({ kind, ...(await rehearsed(kind)) });
      const current = await ensureWorker();
      const cast = played.flatMap(({ kind, points, outcome }) =>
        points.filter(wanted).map((point) => ({ kind, point, outcome })),
      );
      const prepared = await Promise.all(
        cast.map(async (one, index) => {
          const trialJob = await prepareTrialJob(world, one.kind, index + 1, current);
          return { ...one, trialJob };
        }),
      );
      const known = await Promise.all(
        prepared.map(async (one) => ({ ...one, before: await readBefore(world, one.kind, one.trialJob) })),
      );
      await current.closeClaims();
      // For an existing job, its replies may come before the claim.
      current.order({ hold: listHeld(known) });
      const runs = await Promise.all(
        known.map(async (one) => ({ ...one, trialJob: await begin(world, one.kind, one.trialJob) })),
      );
      if (runs.some(({ trialJob }, index) => trialJob.jobId !== known[index]?.trialJob.jobId))
        current.order({ hold: listHeld(runs) });
      current.order({ claims: 'open' });
      await current.held(listHeld(runs));
      worker = await disturb(current, runs);
      await world.settled(runs.map(({ trialJob }) => trialJob.jobId));
      return Promise.all(
        runs.map(async ({ kind, point, outcome, trialJob, before }) => {
          const found = subtract(await readOutcome(world, trialJob), before);
          const differences = compareOutcomes(outcome, found, { repeats: repeats(kind, point) });
          return { kind, point, trialJob: await world.refreshTrialJob(trialJob), outcome, found, differences };
        }),
      );
    },
    /** Ends the worker of the rounds, so that a trial can start others. The next round starts another. */
    async stop(): Promise<void> {
      if (worker && !worker.hasEnded()) await worker.kill('SIGTERM');
      worker = undefined;
    },
  };
}

const listHeld = (runs: readonly HeldRun[]) => runs.map(({ trialJob: { jobId }, point }) => ({ jobId, point }));

export type Rounds = ReturnType<typeof createRounds>;

/** A refusal is not stored as an answer: the run freezes its result. */
const isRefusalInHand = ({ name }: RunKind, point: Point) =>
  name === 'refused by the model' && point === 'before freeze 1';

/** The model has answered, and the answer is not stored yet. */
const isAnswerInHand = (point: Point) => /^(after ask model|before store answer) /.test(point);

/** The queue posts a few replies at a time: one waiting reply for each point of a review would block the others. */
export const isOfQueue = (point: Point) => / (give|record given) answer /.test(point);
