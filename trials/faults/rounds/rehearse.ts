import type { RunKind, TrialJob } from '../kinds/kind.ts';
import { firstRun } from '../kinds/kinds.ts';
import type { Point } from '../processes/point.ts';
import type { ServiceProcess } from '../processes/spawn-gated-service.ts';
import type { World } from '../world/world.ts';
import { listPushes, type Outcome, readOutcome, subtract } from './outcome.ts';

export interface Rehearsal {
  /** Every point that the run reaches, in order. */
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
  faults: [],
  modelRequests: [],
  writes: [],
};

const isFirst = ({ begin }: RunKind) => begin === undefined;

/** Plays a kind of run undisturbed, on its project number 0. The worker must be the only one. */
export async function rehearse(world: World, kind: RunKind, worker: ServiceProcess): Promise<Rehearsal> {
  const trialJob = await prepareTrialJob(world, kind, 0, worker);
  worker.order({ hold: [] });
  const before = await readBefore(world, kind, trialJob);
  const { jobId } = await begin(world, kind, trialJob);
  await world.settled([jobId]);
  const after = await readOutcome(world, { ...trialJob, jobId });
  const points = worker.reports.filter((report) => report.jobId === jobId).map(({ point }) => point);
  const outcome = subtract(after, before);
  const left = [...outcome.commits, ...outcome.comments];
  if (!left.some((line) => line.includes(kind.leaves))) {
    throw new Error(`an undisturbed ${kind.name} did not leave ${kind.leaves}: ${JSON.stringify(outcome)}`);
  }
  // People's files, which the run must not change.
  const filesOfPeople = { ...outcome.filesOfPeople, ...kind.filesOfPeople };
  return { points: [...new Set(points)], outcome: { ...outcome, filesOfPeople } };
}

/** For a first run: only the pushes of other jobs to its project. */
export const readBefore = async (world: World, kind: RunKind, trialJob: TrialJob): Promise<Outcome> =>
  isFirst(kind) ? { ...nothing, writes: listPushes(world, trialJob.project) } : readOutcome(world, trialJob);

export async function begin(world: World, kind: RunKind, trialJob: TrialJob): Promise<TrialJob> {
  if (!kind.begin) return world.createJob(trialJob.project, kind.name);
  await kind.begin(world, trialJob);
  return trialJob;
}

/** Prepares one run of the kind: a later run gets a job with a pull request, which the worker opens. */
export async function prepareTrialJob(
  world: World,
  kind: RunKind,
  nth: number,
  worker: ServiceProcess,
): Promise<TrialJob> {
  const project = await world.project(kind.project, nth);
  if (isFirst(kind)) return { project, jobId: '', pullRequest: null, branch: null };
  const known = world.findTrialJob(project.fullName);
  if (known?.pullRequest) return known;
  const trialJob = known ?? (await world.createJob(project, firstRun.name));
  worker.order({ claims: 'open' });
  await world.settled([trialJob.jobId]);
  return world.refreshTrialJob(trialJob);
}
