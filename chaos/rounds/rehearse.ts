import type { Kind, Stage } from '../kinds/kind.ts';
import { firstRun } from '../kinds/kinds.ts';
import type { Point } from '../processes/point.ts';
import type { ServiceProcess } from '../processes/spawn-process.ts';
import type { World } from '../world/world.ts';
import { listPushes, type Outcome, readOutcome, subtract } from './outcome.ts';

/** A kind of run as it goes undisturbed. */
export interface Rehearsal {
  /** Every point that it comes to, in order. */
  points: Point[];
  outcome: Outcome;
}

const nothing: Outcome = {
  status: '',
  branches: 0,
  commits: [],
  files: {},
  filesOfPeople: {},
  pullRequests: [],
  titles: [],
  descriptions: [],
  comments: [],
  runs: [],
  messages: [],
  effects: [],
  asked: [],
  writes: [],
};

/** Whether its run is the first of a job. */
const isFirst = ({ begin }: Kind) => begin === undefined;

/** Plays a kind of run undisturbed, on its site number 0. The worker must be the only one. */
export async function rehearse(world: World, kind: Kind, worker: ServiceProcess): Promise<Rehearsal> {
  const stage = await prepareStage(world, kind, 0, worker);
  worker.order({ hold: [] });
  const before = await readBefore(world, kind, stage);
  const { jobId } = await begin(world, kind, stage);
  await world.settled([jobId]);
  const after = await readOutcome(world, { ...stage, jobId });
  const points = worker.reports.filter((report) => report.jobId === jobId).map(({ point }) => point);
  const outcome = subtract(after, before);
  const left = [...outcome.commits, ...outcome.comments];
  if (!left.some((line) => line.includes(kind.leaves))) {
    throw new Error(`an undisturbed ${kind.name} did not leave ${kind.leaves}: ${JSON.stringify(outcome)}`);
  }
  // These are not ours to touch: that is known beforehand.
  const filesOfPeople = { ...outcome.filesOfPeople, ...kind.filesOfPeople };
  return { points: [...new Set(points)], outcome: { ...outcome, filesOfPeople } };
}

/** What is there before a run: of a job's first one, nothing but what other jobs pushed to its site. */
export const readBefore = async (world: World, kind: Kind, stage: Stage): Promise<Outcome> =>
  isFirst(kind) ? { ...nothing, writes: listPushes(world, stage.site) } : readOutcome(world, stage);

/** Asks for the run; for the first one of a job that creates the job. */
export async function begin(world: World, kind: Kind, stage: Stage): Promise<Stage> {
  if (!kind.begin) return world.createJob(stage.site, kind.name);
  await kind.begin(world, stage);
  return stage;
}

/** A stage for one run of that kind: for a later run, with a job that has its pull request, which the worker opens. */
export async function prepareStage(world: World, kind: Kind, nth: number, worker: ServiceProcess): Promise<Stage> {
  const site = await world.site(kind.site, nth);
  if (isFirst(kind)) return { site, jobId: '', pullRequest: null, branch: null };
  const known = world.findStage(site.fullName);
  if (known?.pullRequest) return known;
  const stage = known ?? (await world.createJob(site, firstRun.name));
  worker.order({ claims: 'open' });
  await world.settled([stage.jobId]);
  return world.refreshStage(stage);
}
