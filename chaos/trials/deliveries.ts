import { setTimeout as delay } from 'node:timers/promises';
import type { TrialJob } from '../kinds/kind.ts';
import { instruct, laterKinds } from '../kinds/kinds.ts';
import { type Outcome, readOutcome, subtract } from '../rounds/outcome.ts';
import { prepareTrialJob } from '../rounds/rehearse.ts';
import type { World } from '../world/world.ts';
import { countWorkspaces } from './leftovers.ts';
import { createRandom } from './random.ts';
import type { Trial } from './trial.ts';

const projects = 8;
/** Where no round has been: what was said there would count. */
const firstSite = 180;
/** Another branch that a pull request can target. */
const otherBase = 'next';

type Act = (world: World, trialJob: TrialJob) => Promise<void>;

const close: Act = ({ rita }, { project, pullRequest }) => rita.closePullRequest(project.fullName, pullRequest ?? 0);
const reopen: Act = ({ rita }, { project, pullRequest }) => rita.reopenPullRequest(project.fullName, pullRequest ?? 0);
const retarget =
  (base: string): Act =>
  ({ rita }, { project, pullRequest }) =>
    rita.editPullRequest(project.fullName, pullRequest ?? 0, { base });

/** What people do to a pull request one after the other, and what its job is after that, in whichever order it is told of them. */
const histories: readonly { acts: readonly Act[]; status: string; base: string }[] = [
  { acts: [close, reopen, close], status: 'archived', base: 'main' },
  { acts: [close, reopen, close, reopen], status: 'completed', base: 'main' },
  { acts: [retarget(otherBase), retarget('main'), retarget(otherBase)], status: 'completed', base: otherBase },
  { acts: [retarget(otherBase), close, reopen, retarget('main')], status: 'completed', base: 'main' },
];
/** GitHub dates pull requests in whole seconds. */
const apartMs = 1_100;

/** A job that has its pull request, what it had left by then, and what is done to it. */
interface Tried {
  trialJob: TrialJob;
  before: Outcome;
  history: (typeof histories)[number];
  /** Where the messages have to come from that people wrote. */
  said: string[];
}

/**
 * Deliveries come three times, in an order that the seed decides, and some not at all until GitHub is asked for them: every comment and
 * review is one message all the same, answered once, and a job is what its pull request was last, however old what it is told last.
 */
export async function tryDeliveries(trial: Trial): Promise<void> {
  const { world, rounds, ledger, seed } = trial;
  await rounds.stop();
  const random = createRandom(seed);
  const name = `deliveries: --seed ${seed}`;
  const worker = await world.spawnWorker({ CLAIMS: 'open' });
  const { deliveries } = world.github;
  const tried = await Promise.all(Array.from({ length: projects }, (_, index) => prepare(index)));
  const jobIds = tried.map(({ trialJob }) => trialJob.jobId);

  await holdWhile(3, async () => {
    for (const { trialJob, said } of tried) said.push(...(await sayAll(trialJob)));
  });
  await world.settled(jobIds);
  // Who starts asks GitHub for what it could not deliver.
  const second = await world.spawnWorker({ CLAIMS: 'open' });
  await world.untilMessages(
    tried.flatMap(({ trialJob: { jobId }, said }) => said.map((sourceKey) => ({ jobId, sourceKey }))),
  );
  await world.settled(jobIds);

  await holdWhile(3, async () => {
    for (let turn = 0; turn < Math.max(...histories.map(({ acts }) => acts.length)); turn += 1) {
      for (const { trialJob, history } of tried) await history.acts[turn]?.(world, trialJob);
      await delay(apartMs);
    }
  });
  await world.settled(jobIds);
  const broken = (await Promise.all(tried.map(findWrongState))).flat();

  const open = tried.filter(({ history }) => history.status !== 'archived');
  await holdWhile(2, async () => {
    for (const { trialJob } of open)
      await world.rita.mergePullRequest(trialJob.project.fullName, trialJob.pullRequest ?? 0);
  });
  await world.settled(jobIds);
  deliveries.setCopies(1);

  const unanswered = (await Promise.all(tried.map(findWrongAnswers))).flat();
  const said = tried.flatMap((one) => one.said).length;
  const done = tried.flatMap(({ history }) => history.acts).length + open.length;
  // As many as had something to tell: GitHub also tells of the pushes and comments of our own.
  ledger.count(8, name, said + done, [...broken, ...unanswered]);
  ledger.count(15, name, said, unanswered);
  await countWorkspaces(trial, name, worker.machine);
  for (const { trialJob } of tried) world.forgetTrialJob(trialJob);
  for (const process of [worker, second]) await process.kill('SIGTERM');

  async function prepare(index: number): Promise<Tried> {
    const [kind] = laterKinds;
    const history = histories[index % histories.length];
    if (!kind || !history) throw new Error('no deliveries to try');
    const trialJob = await prepareTrialJob(world, kind, firstSite + index, worker);
    await world.rita.pushCommit(
      trialJob.project.fullName,
      otherBase,
      { 'next.md': '# Next\n' },
      'Begin what comes next',
    );
    return { trialJob, before: await readOutcome(world, trialJob), history, said: [] };
  }

  /** What is told of all that happens meanwhile comes after it, each so often and in any order. */
  async function holdWhile(copies: number, happen: () => Promise<void>): Promise<void> {
    deliveries.setCopies(copies);
    deliveries.hold();
    await happen();
    deliveries.release((held) => random.shuffle(held));
    await deliveries.settled();
  }

  /** Two comments, of which one is not delivered before it is asked for, and a review. Returns what their messages come from. */
  async function sayAll({ project, pullRequest }: TrialJob): Promise<string[]> {
    const number = pullRequest ?? 0;
    deliveries.fail(({ event }) => event === 'issue_comment');
    const texts = [instruct('comment', project), instruct('comment', project)];
    const comments = texts.map((text) => world.rita.comment(project.fullName, number, text));
    const review = await world.rita.review(project.fullName, number, { body: instruct('nothing to change', project) });
    return [...comments.map(({ id }) => `comment:${id}`), `review:${review.id}`];
  }

  async function findWrongState({ trialJob: { jobId }, history }: Tried): Promise<string[]> {
    const { status, base } = await world.database
      .selectFrom('jobs')
      .select(['status', 'base'])
      .where('job_id', '=', jobId)
      .executeTakeFirstOrThrow();
    const isRight = status === history.status && base === history.base;
    return isRight ? [] : [`${jobId} is ${status} for ${base}, not ${history.status} for ${history.base}`];
  }

  async function findWrongAnswers({ trialJob, before, said: wanted }: Tried): Promise<string[]> {
    const { status, messages, runs, comments, effects } = subtract(await readOutcome(world, trialJob), before);
    const keys = (await world.listSources(trialJob.jobId)).filter((key) => !key.startsWith('msg_'));
    const given = comments.filter((comment) => comment.startsWith('pagewright-')).length;
    const seen = effects.filter((effect) => /^comment:\w+:eyes done$/.test(effect)).length;
    const isRight =
      status === 'archived' &&
      keys.toSorted().join() === wanted.toSorted().join() &&
      messages.every((message) => message.startsWith('answered')) &&
      // Each run answers all that it was given by one comment.
      given === runs.length &&
      seen === 2;
    const found = JSON.stringify({ status, keys, messages, runs, given, seen });
    return isRight ? [] : [`${trialJob.jobId} is ${found} after the deliveries ${wanted.join(', ')}`];
  }
}
