import { sql } from 'kysely';
import { eventually } from '../../harness/eventually.ts';
import type { LocalGitHub } from '../../local/github/start-github.ts';
import type { TrialJob } from './kinds/kind.ts';
import { firstRun } from './kinds/kinds.ts';
import type { Trial } from './trial.ts';
import type { TrialProject } from './world/trial-project.ts';
import type { World } from './world/world.ts';
import { isWrite } from './world/writes.ts';

/** In seconds: long enough for the other installation's run to end, also on a busy machine. The trial ends the rest of it early. */
const retryAfter = 60;
/** Where two runs of the installation wait while GitHub refuses a third: their next step calls GitHub, by git and by its API. */
const points = ['before fetch 1', 'before pull-request 1'];
/** The burst of the token bucket. */
const burst = 6;
/** Writes that the bucket let through earlier and that arrived late. */
const onTheirWay = 2;

interface Scene {
  project: TrialProject;
  other: TrialProject;
  /** Runs under way in a process that GitHub does not refuse. */
  held: TrialJob[];
}

/**
 * GitHub refuses one process for a minute. Meanwhile no process calls GitHub for this installation or starts its runs; other installations
 * continue.
 */
export async function tryLimits({ world, rounds, ledger }: Trial, { times }: { times: number }): Promise<void> {
  await rounds.stop();
  const bystander = await world.spawnWorker();
  const scenes = await Promise.all(Array.from({ length: times }, (_, nth) => prepare(world, nth)));
  const plan = scenes.flatMap(({ held }) => held.map(({ jobId }, index) => ({ jobId, point: points[index] ?? '' })));
  bystander.order({ hold: plan });
  bystander.order({ claims: 'open' });
  await bystander.held(plan);
  await bystander.closeClaims();
  // Handle earlier pushes first, so that the installation has no other reason to call GitHub.
  await world.settled([]);
  const refused = await world.spawnWorker({ CLAIMS: 'open', machine: 'b' });
  const blocked = await Promise.all(scenes.map((scene) => refuse(world, scene)));
  bystander.order({ release: true });
  bystander.order({ claims: 'open' });
  await Promise.all(
    blocked.map(async ({ project, other, held, refusedJob, block }) => {
      const waiting = await world.createJob(project, firstRun.name);
      const free = await world.createJob(other, firstRun.name);
      const trialJobs = [...held, refusedJob, waiting, free];
      await world.settled([free.jobId]);
      await untilReleased(world, [...held, refusedJob]);
      const broken = block ? listEarly(world, project, block) : ['the installation was never blocked'];
      if (block) broken.push(...(await findWrongRuns(world, { waiting, free, until: block.until })));
      const met = world.github.requests.find((request) => isOf(request, project) && request.status === 403);
      if (!met) broken.push('no request met the limit');
      else if (block && block.until.getTime() < met.at.getTime() + retryAfter * 1000)
        broken.push('the installation was blocked for less than Retry-After');
      await endBlock(world, project);
      await world.settled(trialJobs.map(({ jobId }) => jobId));
      ledger.count(21, 'limits', trialJobs.length, broken);
      for (const trialJob of trialJobs) world.forgetTrialJob(trialJob);
    }),
  );
  for (const worker of [bystander, refused]) await worker.kill('SIGTERM');
}

async function prepare(world: World, nth: number): Promise<Scene> {
  const project = await world.project('plain', 100 + nth);
  const other = await world.project('plain', 150 + nth);
  return { project, other, held: await Promise.all(points.map(() => world.createJob(project, firstRun.name))) };
}

/** With the installation's token: a refusal of the App says nothing about an installation. `block` is known since `since` at the latest. */
async function refuse(world: World, scene: Scene) {
  const { fullName, installationId } = scene.project;
  world.github.inject({ path: new RegExp(`^/repos/${fullName}/rules/`), kind: 'secondary-limit', retryAfter });
  const refusedJob = await world.createJob(scene.project, firstRun.name);
  const installation = world.database.selectFrom('installations').where('installation_id', '=', installationId);
  const look = async () => (await installation.select('blocked_until').executeTakeFirst())?.blocked_until ?? undefined;
  const until = await eventually(look, { what: 'the limit is stored', withinMs: 20_000 }).catch(() => undefined);
  return { ...scene, refusedJob, block: until && { since: new Date(), until } };
}

/** Requests that every process could have known would be refused. */
const listEarly = (
  { github }: World,
  project: TrialProject,
  { since, until }: { since: Date; until: Date },
): string[] =>
  github.requests
    .filter((request) => isOf(request, project) && request.at > since && request.at < until)
    .map(
      ({ method, path, at }) => `${method} ${path} came ${until.getTime() - at.getTime()} ms before the limit reset`,
    );

async function findWrongRuns(
  { database }: World,
  { waiting, free, until }: { waiting: TrialJob; free: TrialJob; until: Date },
): Promise<string[]> {
  const read = ({ jobId }: TrialJob) =>
    database.selectFrom('runs').selectAll().where('job_id', '=', jobId).executeTakeFirst();
  const [blocked, other] = [await read(waiting), await read(free)];
  const isBegun = blocked && blocked.started_at < until ? ['a run started before the limit reset'] : [];
  const isHeldUp = !other?.ended_at || other.ended_at > until ? ['the run of another installation was delayed'] : [];
  return [...isBegun, ...isHeldUp];
}

/** Resolves when no worker holds a lease of these jobs, so that they send nothing more. */
async function untilReleased({ database }: World, trialJobs: readonly TrialJob[]): Promise<void> {
  const jobIds = trialJobs.map(({ jobId }) => jobId);
  const leased = database.selectFrom('jobs').select('job_id').where('job_id', 'in', jobIds);
  const look = async () => (await leased.where('lease_owner', 'is not', null).execute()).length === 0 || undefined;
  await eventually(look, { what: 'the installation releases its runs' });
}

async function endBlock({ database }: World, { installationId, projectId }: TrialProject): Promise<void> {
  const now = sql<Date>`now()`;
  const ofProject = database.updateTable('jobs').where('project_id', '=', projectId).where('due_at', '>', now);
  await ofProject.set({ due_at: now }).execute();
  const installation = database.updateTable('installations').where('installation_id', '=', installationId);
  await installation.set({ blocked_until: now }).execute();
}

/** Checks all writes against the bucket: at most a burst at once, then one a second. */
export function countWrites({ world, ledger }: Trial): void {
  const writes = world.github.requests.filter(
    (request) => isWrite(request) && request.api !== 'git' && request.tokenInfo.kind === 'installation',
  );
  const byInstallation = Map.groupBy(writes, ({ tokenInfo }) =>
    tokenInfo.kind === 'installation' ? tokenInfo.installationId : 0,
  );
  // A shorter list fits into one burst.
  const crowded = [...byInstallation].filter(([, list]) => list.length > burst);
  const broken = crowded.flatMap(([installationId, list]) => {
    const tooMany = findCrowd(list);
    if (!tooMany) return [];
    const from = tooMany[0]?.at.getTime() ?? 0;
    const sent = tooMany.map(({ at, route }) => `${route} +${at.getTime() - from} ms`);
    return [`${tooMany.length} writes of installation ${installationId}: ${sent.join(', ')}`];
  });
  // A write after the bucket has refilled tests nothing.
  const tries = crowded.reduce((sum, [, list]) => sum + list.filter((_, index) => isCrowded(list, index)).length, 0);
  ledger.count(21, 'writes', tries, broken);
}

/** The first writes that the bucket never lets through together. `list` is in order. */
export function findCrowd<Write extends { at: Date }>(list: readonly Write[]): readonly Write[] | undefined {
  for (const [from, first] of list.entries()) {
    const isTooMany = ({ at }: Write, to: number) =>
      to - from + 1 > burst + onTheirWay + (at.getTime() - first.at.getTime()) / 1000;
    const end = list.findIndex((write, to) => to > from && isTooMany(write, to));
    if (end > 0) return list.slice(from, end + 1);
  }
  return undefined;
}

/** Whether a burst came right before this request. */
export function isCrowded(list: readonly { at: Date }[], index: number): boolean {
  const [before, own] = [list[index - burst], list[index]];
  return before && own ? own.at.getTime() - before.at.getTime() <= (burst + onTheirWay) * 1000 : false;
}

/** Whether GitHub counts the request against the installation; token requests count against the App. */
const isOf = (
  { path, tokenInfo }: LocalGitHub['requests'][number],
  { fullName, installationId }: TrialProject,
): boolean =>
  path.includes(`/${fullName}.git/`) ||
  (tokenInfo.kind === 'installation' &&
    tokenInfo.installationId === installationId &&
    !path.startsWith('/installation/token'));
