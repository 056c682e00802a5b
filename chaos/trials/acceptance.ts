import { setTimeout as delay } from 'node:timers/promises';
import { sql } from 'kysely';
import { eventually } from '../../harness/eventually.ts';
import type { TrialJob } from '../kinds/kind.ts';
import { instruct, laterKinds } from '../kinds/kinds.ts';
import { prepareTrialJob } from '../rounds/rehearse.ts';
import { callApi } from '../world/trial-project.ts';
import { countWorkspaces } from './leftovers.ts';
import { createRandom } from './random.ts';
import type { Trial } from './trial.ts';

/** Where no round has been: what was asked for there would count. */
const firstSite = 220;
/** Of new jobs, as many of messages to one that is there. No job lets more than twenty wait. */
const requestsEach = 10;
const comments = 4;
/** Over so long they come in. */
const longestMs = 600;
/** Who starts asks GitHub at once. */
const askedAgainWithinMs = 60_000;
const doors = ['create', 'message', 'comment'] as const;

/** Something that was asked for: how it is told from the rest, and whether it was accepted. */
interface Asked {
  door: (typeof doors)[number];
  /** Its instruction; of a comment, what its message comes from. */
  mark: string;
  isAccepted: boolean;
}

/**
 * The process that answers, or its database, dies while jobs, messages and comments come in: what was answered 201, 200 or 202 is there,
 * once, and ends; a comment that was refused comes again, because GitHub is asked for it.
 */
export async function tryAcceptance(given: Trial, { times }: { times: number }): Promise<void> {
  const { world, rounds, ledger, seed } = given;
  const { deliveries } = world.github;
  await rounds.stop();
  const random = createRandom(seed);
  let worker = await world.spawnWorker({ CLAIMS: 'open' });
  const trial = `acceptance: --seed ${seed}`;
  const all: Asked[] = [];
  const [followUp] = laterKinds;
  if (!followUp) return;
  const trialJobs = await Promise.all(
    Array.from({ length: times }, (_, time) => prepareTrialJob(world, followUp, firstSite + time, worker)),
  );
  for (const [time, trialJob] of trialJobs.entries())
    all.push(...(await tryOnce(trialJob, { isDatabase: time % 2 === 1 })));
  for (const door of doors) {
    // Where nothing was refused, nobody died in the middle.
    const isUntried = all.every((asked) => asked.door !== door || asked.isAccepted);
    ledger.count(2, trial, 0, isUntried ? [`every ${door} was accepted`] : []);
  }
  await countWorkspaces(given, trial, worker.machine);
  await worker.kill('SIGTERM');

  /** Whoever is at it when the database goes keeps all others from it for two minutes, and what is asked for in vain waits for twenty. */
  async function untilNobodyAsksGitHub(): Promise<void> {
    await eventually(
      async () => {
        const open = sql`select from pgboss.job where name = 'redeliver' and state in ('created', 'retry', 'active')`;
        return (await open.execute(world.database)).rows.length === 0 || undefined;
      },
      { what: 'no process asks GitHub for deliveries', withinMs: 240_000 },
    );
  }

  /** The next one asks GitHub for what it could not deliver: who starts does so. */
  async function replaceWorker(): Promise<void> {
    const next = await world.spawnWorker({ CLAIMS: 'open' });
    await worker.kill('SIGTERM');
    worker = next;
  }

  async function tryOnce(trialJob: TrialJob, { isDatabase }: { isDatabase: boolean }): Promise<Asked[]> {
    await untilNobodyAsksGitHub();
    const { project } = trialJob;
    const wrong: string[] = [];
    const asked: Asked[] = [];
    const ask = async (door: 'create' | 'message', nth: number) => {
      await delay(random.between(0, longestMs));
      const mark = `${instruct('nothing to change', project)} By ${door}, ${nth}.`;
      const path = door === 'create' ? '' : `/${trialJob.jobId}/message`;
      const answer = await callApi(world.webUrl(), project, path, { prompt: mark });
      const isAccepted = answer.status === (door === 'create' ? 201 : 200);
      asked.push({ door, mark, isAccepted });
      if (!isAccepted && ![0, 503].includes(answer.status)) wrong.push(`the answer was ${JSON.stringify(answer)}`);
    };
    const comment = async () => {
      await delay(random.between(0, longestMs));
      const text = instruct('nothing to change', project);
      return world.rita.comment(project.fullName, trialJob.pullRequest ?? 0, text).id;
    };
    const each = Array.from({ length: requestsEach }, (_, nth) => nth);
    const calls = Promise.all(each.flatMap((nth) => [ask('create', nth), ask('message', nth)]));
    const said = Promise.all(Array.from({ length: comments }, comment));

    const enough = random.between(1, requestsEach);
    const isEnough = () => asked.filter(({ isAccepted }) => isAccepted).length >= enough || undefined;
    await eventually(isEnough, { what: 'some requests are accepted', everyMs: 5 });
    if (isDatabase) await world.server.stop();
    else await world.web()?.kill('SIGKILL');
    await calls;
    const ids = new Set(await said);
    const isOneTurnedAway = () => listAttempts(ids).some(({ status }) => isFinal(status) && status !== 202);
    const isNoneLeft = () => listAttempts(ids).every(({ status }) => isFinal(status));
    await eventually(() => isOneTurnedAway() || isNoneLeft() || undefined, { what: 'a comment is refused' });
    if (isDatabase) await world.server.start();
    else await world.startWeb();
    await deliveries.settled();
    for (const id of ids) {
      const isAccepted = listAttempts(new Set([id])).some(({ status }) => status === 202);
      asked.push({ door: 'comment', mark: `comment:${id}`, isAccepted });
    }
    await replaceWorker();
    await judge(trialJob, asked, wrong);
    return asked;
  }

  /** GitHub's attempts to deliver these comments. */
  function listAttempts(ids: ReadonlySet<number>) {
    return deliveries.log.filter(({ event, payload: { comment } }) => {
      const isComment = event === 'issue_comment' && typeof comment === 'object' && comment !== null && 'id' in comment;
      return isComment && typeof comment.id === 'number' && ids.has(comment.id);
    });
  }

  async function judge({ project, jobId }: TrialJob, asked: readonly Asked[], wrong: string[]): Promise<void> {
    const keep = (error: Error) => void wrong.push(error.message);
    const sources = asked.filter(({ door }) => door === 'comment').map(({ mark }) => ({ jobId, sourceKey: mark }));
    const arrive = () => world.untilMessages(sources, { withinMs: askedAgainWithinMs });
    await arrive()
      .catch(async () => {
        // As if the twenty minutes were over that something waits which was asked for while nobody could take it.
        await sql`update redeliveries set due_at = now() where due_at is not null`.execute(world.database);
        await replaceWorker();
        await arrive();
      })
      .catch(keep);
    const messages = () =>
      world.database
        .selectFrom('messages')
        .innerJoin('jobs', 'jobs.job_id', 'messages.job_id')
        .select(['messages.job_id', 'source_key', 'prompt', 'state'])
        .where('project_id', '=', project.projectId)
        .execute();
    await world.settled([...new Set((await messages()).map(({ job_id }) => job_id))]).catch(keep);
    const found = await messages();
    for (const { door, mark, isAccepted } of asked) {
      const count = found.filter(({ source_key, prompt }) => [source_key, prompt].includes(mark)).length;
      // One whose answer the crash cut off may be there as well; what GitHub keeps comes again.
      const least = isAccepted || door === 'comment' ? 1 : 0;
      if (count < least || count > 1)
        wrong.push(`${mark} (${isAccepted ? 'accepted' : 'refused'}) was stored ${count} times`);
    }
    const unanswered = found.filter(({ state }) => state !== 'answered');
    const tries = asked.filter(({ door, isAccepted }) => isAccepted || door === 'comment').length;
    ledger.count(2, trial, tries, [...wrong, ...unanswered.map(({ prompt, state }) => `${prompt} is ${state}`)]);
  }
}

const isFinal = (status: number | string) => status !== 'waiting';
