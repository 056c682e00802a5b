import { setTimeout as delay } from 'node:timers/promises';
import { sql } from 'kysely';
import { eventually } from '../../../harness/eventually.ts';
import { createRandom } from '../../../harness/random.ts';
import type { TrialJob } from '../kinds/kind.ts';
import { instruct, laterKinds } from '../kinds/kinds.ts';
import { countWorkspaces } from '../leftovers.ts';
import { prepareTrialJob } from '../rounds/rehearse.ts';
import type { Trial } from '../trial.ts';
import { callApi } from '../world/trial-project.ts';

/** Projects that no round uses: earlier requests would count. */
const firstProject = 220;
/** Of new jobs, and of messages to an existing job. A job lets at most twenty messages wait. */
const requestsEach = 10;
const comments = 8;
/** The requests arrive within this time. */
const longestMs = 600;
/** A worker asks GitHub for failed deliveries as soon as it starts. */
const redeliveredWithinMs = 60_000;
const doors = ['create', 'message', 'comment'] as const;

/** One request or comment, and whether it was accepted. */
interface Arrival {
  door: (typeof doors)[number];
  /** The instruction, or the comment's source key. */
  mark: string;
  isAccepted: boolean;
}

/**
 * The web process or its database dies while requests arrive. Each accepted request (201, 200, 202) is stored once and ends; GitHub redelivers
 * refused comments.
 */
export async function tryAcceptance(context: Trial, { times }: { times: number }): Promise<void> {
  const { world, rounds, ledger, seed } = context;
  const { deliveries } = world.github;
  await rounds.stop();
  const random = createRandom(seed);
  let worker = await world.spawnWorker({ CLAIMS: 'open' });
  const trial = `acceptance: --seed ${seed}`;
  const all: Arrival[] = [];
  const [followUp] = laterKinds;
  if (!followUp) return;
  const trialJobs = await Promise.all(
    Array.from({ length: times }, (_, time) => prepareTrialJob(world, followUp, firstProject + time, worker)),
  );
  for (const [time, trialJob] of trialJobs.entries())
    all.push(...(await tryOnce(trialJob, { isDatabase: time % 2 === 1 })));
  for (const door of doors) {
    // If nothing was refused, nothing died in the middle.
    const isUntried = all.every((arrival) => arrival.door !== door || arrival.isAccepted);
    ledger.count(2, trial, 0, isUntried ? [`every ${door} was accepted`] : []);
  }
  await countWorkspaces(context, trial, worker.machine);
  await worker.kill('SIGTERM');

  /** A process that loses the database while it asks GitHub blocks the others for two minutes; a failed request waits for twenty. */
  async function untilNobodyAsksGitHub(): Promise<void> {
    await eventually(
      async () => {
        const open = sql`select from pgboss.job where name = 'redeliver' and state in ('created', 'retry', 'active')`;
        return (await open.execute(world.database)).rows.length === 0 || undefined;
      },
      { what: 'no process asks GitHub for deliveries', withinMs: 240_000 },
    );
  }

  /** The next worker asks GitHub for failed deliveries when it starts. */
  async function replaceWorker(): Promise<void> {
    const next = await world.spawnWorker({ CLAIMS: 'open' });
    await worker.kill('SIGTERM');
    worker = next;
  }

  async function tryOnce(trialJob: TrialJob, { isDatabase }: { isDatabase: boolean }): Promise<Arrival[]> {
    await untilNobodyAsksGitHub();
    const { project } = trialJob;
    const wrong: string[] = [];
    const arrivals: Arrival[] = [];
    const send = async (door: 'create' | 'message', nth: number) => {
      await delay(random.between(0, longestMs));
      const mark = `${instruct('nothing to change', project)} By ${door}, ${nth}.`;
      const path = door === 'create' ? '' : `/${trialJob.jobId}/message`;
      const answer = await callApi(world.webUrl(), project, path, { prompt: mark });
      const isAccepted = answer.status === (door === 'create' ? 201 : 200);
      arrivals.push({ door, mark, isAccepted });
      if (!isAccepted && ![0, 503].includes(answer.status)) wrong.push(`the answer was ${JSON.stringify(answer)}`);
    };
    const comment = async () => {
      await delay(random.between(0, longestMs));
      const text = instruct('nothing to change', project);
      return world.rita.comment(project.fullName, trialJob.pullRequest ?? 0, text).id;
    };
    const each = Array.from({ length: requestsEach }, (_, nth) => nth);
    const calls = Promise.all(each.flatMap((nth) => [send('create', nth), send('message', nth)]));
    const posted = Promise.all(Array.from({ length: comments }, comment));

    const enough = random.between(1, requestsEach);
    const isEnough = () => arrivals.filter(({ isAccepted }) => isAccepted).length >= enough || undefined;
    await eventually(isEnough, { what: 'some requests are accepted', everyMs: 5 });
    if (isDatabase) await world.server.stop();
    else await world.web()?.kill('SIGKILL');
    await calls;
    const ids = new Set(await posted);
    const isOneRefused = () => listAttempts(ids).some(({ status }) => isFinal(status) && status !== 202);
    const isNoneLeft = () => listAttempts(ids).every(({ status }) => isFinal(status));
    await eventually(() => isOneRefused() || isNoneLeft() || undefined, { what: 'a comment is refused' });
    if (isDatabase) await world.server.start();
    else await world.startWeb();
    await deliveries.settled();
    for (const id of ids) {
      const isAccepted = listAttempts(new Set([id])).some(({ status }) => status === 202);
      arrivals.push({ door: 'comment', mark: `comment:${id}`, isAccepted });
    }
    await replaceWorker();
    await countAccepted(trialJob, arrivals, wrong);
    return arrivals;
  }

  function listAttempts(ids: ReadonlySet<number>) {
    return deliveries.log.filter(({ event, payload: { comment } }) => {
      const isComment = event === 'issue_comment' && typeof comment === 'object' && comment !== null && 'id' in comment;
      return isComment && typeof comment.id === 'number' && ids.has(comment.id);
    });
  }

  async function countAccepted(
    { project, jobId }: TrialJob,
    arrivals: readonly Arrival[],
    wrong: string[],
  ): Promise<void> {
    const keep = (error: Error) => void wrong.push(error.message);
    const sources = arrivals.filter(({ door }) => door === 'comment').map(({ mark }) => ({ jobId, sourceKey: mark }));
    const arrive = () => world.untilMessages(sources, { withinMs: redeliveredWithinMs });
    await arrive()
      .catch(async () => {
        // As if the twenty minutes of a failed redelivery request were over.
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
    for (const { door, mark, isAccepted } of arrivals) {
      const count = found.filter(({ source_key, prompt }) => [source_key, prompt].includes(mark)).length;
      // A request whose answer the crash cut off may be stored as well; GitHub redelivers comments.
      const least = isAccepted || door === 'comment' ? 1 : 0;
      if (count < least || count > 1)
        wrong.push(`${mark} (${isAccepted ? 'accepted' : 'refused'}) was stored ${count} times`);
    }
    const unanswered = found.filter(({ state }) => state !== 'answered');
    const tries = arrivals.filter(({ door, isAccepted }) => isAccepted || door === 'comment').length;
    ledger.count(2, trial, tries, [...wrong, ...unanswered.map(({ prompt, state }) => `${prompt} is ${state}`)]);
  }
}

const isFinal = (status: number | string) => status !== 'waiting';
