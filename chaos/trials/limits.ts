import { sql } from 'kysely';
import { eventually } from '../../harness/eventually.ts';
import type { LocalGitHub } from '../../local/github/start-github.ts';
import type { TrialJob } from '../kinds/kind.ts';
import { firstRun } from '../kinds/kinds.ts';
import type { TrialProject } from '../world/trial-project.ts';
import type { World } from '../world/world.ts';
import { isWrite } from '../world/writes.ts';
import type { Trial } from './trial.ts';

/** In seconds: another's run ends meanwhile, also on a machine that is busy. When it has, nobody waits for the rest. */
const retryAfter = 60;
/** Where two runs of the installation are when another one of it is refused: what they do next is to ask GitHub, by git and by its API. */
const points = ['before fetch 1', 'before pull-request 1'];
/** What the bucket lets through at once. */
const burst = 6;
/** So many more may come in a window: those that were let through before it and were slow to arrive. */
const onTheirWay = 2;

/** One installation that GitHub refuses something, and one that it does not. */
interface Scene {
  project: TrialProject;
  other: TrialProject;
  /** Under way in a process that is not refused anything. */
  held: TrialJob[];
}

/**
 * GitHub refuses one process a request of an installation for a minute. While that lasts, nothing comes from the runs of the same
 * installation that another process is at, none of it is begun, and another installation's run goes its way.
 */
export async function tryLimits({ world, rounds, ledger }: Trial, { times }: { times: number }): Promise<void> {
  await rounds.stop();
  const bystander = await world.spawnWorker();
  const scenes = await Promise.all(Array.from({ length: times }, (_, nth) => prepare(world, nth)));
  const plan = scenes.flatMap(({ held }) => held.map(({ jobId }, index) => ({ jobId, point: points[index] ?? '' })));
  bystander.order({ hold: plan });
  bystander.order({ claims: 'open' });
  await bystander.held(plan);
  bystander.order({ claims: 'closed' });
  // What was pushed until now is dealt with: the installation has no other reason to ask.
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
      await untilLetGo(world, [...held, refusedJob]);
      const broken = block ? listEarly(world, project, block) : ['the installation was never blocked'];
      if (block) broken.push(...(await judgeRuns(world, { waiting, free, until: block.until })));
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

/** By its own token: what the App is refused says nothing of an installation. `block`: since when at the latest it is known, and until when. */
async function refuse(world: World, scene: Scene) {
  const { fullName, installationId } = scene.project;
  world.github.inject({ path: new RegExp(`^/repos/${fullName}/rules/`), kind: 'secondary-limit', retryAfter });
  const refusedJob = await world.createJob(scene.project, firstRun.name);
  const installation = world.database.selectFrom('installations').where('installation_id', '=', installationId);
  const look = async () => (await installation.select('blocked_until').executeTakeFirst())?.blocked_until ?? undefined;
  const until = await eventually(look, { what: 'the limit is stored', withinMs: 20_000 }).catch(() => undefined);
  return { ...scene, refusedJob, block: until && { since: new Date(), until } };
}

/** What came although everybody could know better. */
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

async function judgeRuns(
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

/** Resolves when no worker is at any of these: what it was going to ask, it has asked. */
async function untilLetGo({ database }: World, trialJobs: readonly TrialJob[]): Promise<void> {
  const jobIds = trialJobs.map(({ jobId }) => jobId);
  const leased = database.selectFrom('jobs').select('job_id').where('job_id', 'in', jobIds);
  const look = async () => (await leased.where('lease_owner', 'is not', null).execute()).length === 0 || undefined;
  await eventually(look, { what: 'the installation releases its runs' });
}

/** What time does. */
async function endBlock({ database }: World, { installationId, projectId }: TrialProject): Promise<void> {
  const now = sql<Date>`now()`;
  const ofSite = database.updateTable('jobs').where('project_id', '=', projectId).where('due_at', '>', now);
  await ofSite.set({ due_at: now }).execute();
  const installation = database.updateTable('installations').where('installation_id', '=', installationId);
  await installation.set({ blocked_until: now }).execute();
}

/** Holds all that was ever written against the bucket: no more at once than it holds, then one a second. */
export function countWrites({ world, ledger }: Trial): void {
  const writes = world.github.requests.filter(
    (request) => isWrite(request) && request.api !== 'git' && request.tokenInfo.kind === 'installation',
  );
  const byInstallation = Map.groupBy(writes, ({ tokenInfo }) =>
    tokenInfo.kind === 'installation' ? tokenInfo.installationId : 0,
  );
  // Of fewer, all may come at once.
  const crowded = [...byInstallation].filter(([, list]) => list.length > burst);
  const broken = crowded.flatMap(([installationId, list]) => {
    const times = list.map(({ at }) => at.getTime());
    const crowds = times.flatMap((from, index) =>
      times.slice(index).map((to, more) => ({ count: more + 1, seconds: (to - from) / 1000 })),
    );
    const tooMany = crowds.find(({ count, seconds }) => count > burst + seconds + onTheirWay);
    return tooMany
      ? [`${tooMany.count} writes of installation ${installationId} within ${tooMany.seconds} seconds`]
      : [];
  });
  // What comes once the bucket has filled again tries nothing.
  const tries = crowded.reduce((sum, [, list]) => sum + list.filter((_, index) => isCrowded(list, index)).length, 0);
  ledger.count(21, 'writes', tries, broken);
}

/** Whether a bucket was emptied for it: so many came right before it. */
export function isCrowded(list: readonly { at: Date }[], index: number): boolean {
  const [before, own] = [list[index - burst], list[index]];
  return before && own ? own.at.getTime() - before.at.getTime() <= (burst + onTheirWay) * 1000 : false;
}

/** Whether GitHub counts it against the installation: tokens are the App's matter. */
const isOf = (
  { path, tokenInfo }: LocalGitHub['requests'][number],
  { fullName, installationId }: TrialProject,
): boolean =>
  path.includes(`/${fullName}.git/`) ||
  (tokenInfo.kind === 'installation' &&
    tokenInfo.installationId === installationId &&
    !path.startsWith('/installation/token'));
