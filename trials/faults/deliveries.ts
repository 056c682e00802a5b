import { setTimeout as delay } from 'node:timers/promises';
import { createRandom } from '../../harness/random.ts';
import type { TrialJob } from './kinds/kind.ts';
import { instruct, laterKinds } from './kinds/kinds.ts';
import { countWorkspaces } from './leftovers.ts';
import { type Outcome, readOutcome, subtract } from './rounds/outcome.ts';
import { prepareTrialJob } from './rounds/rehearse.ts';
import type { Trial } from './trial.ts';
import type { World } from './world/world.ts';

const projects = 8;
/** Projects that no round uses: earlier comments would count. */
const firstProject = 180;
const otherBase = 'next';

type Act = (world: World, trialJob: TrialJob) => Promise<void>;

const close: Act = ({ rita }, { project, pullRequest }) => rita.closePullRequest(project.fullName, pullRequest ?? 0);
const reopen: Act = ({ rita }, { project, pullRequest }) => rita.reopenPullRequest(project.fullName, pullRequest ?? 0);
const retarget =
  (base: string): Act =>
  ({ rita }, { project, pullRequest }) =>
    rita.editPullRequest(project.fullName, pullRequest ?? 0, { base });

/** The actions of people on a pull request, and the state of its job afterwards, in any order of the deliveries. */
const histories: readonly { acts: readonly Act[]; status: string; base: string }[] = [
  { acts: [close, reopen, close], status: 'archived', base: 'main' },
  { acts: [close, reopen, close, reopen], status: 'completed', base: 'main' },
  { acts: [retarget(otherBase), retarget('main'), retarget(otherBase)], status: 'completed', base: otherBase },
  { acts: [retarget(otherBase), close, reopen, retarget('main')], status: 'completed', base: 'main' },
];
/** GitHub dates pull requests in whole seconds. */
const apartMs = 1_100;

interface Tried {
  trialJob: TrialJob;
  before: Outcome;
  history: (typeof histories)[number];
  /** The source keys of people's messages. */
  sourceKeys: string[];
}

/**
 * Each delivery comes three times, shuffled by the seed; some only on request. Each comment is one message, answered once; the job follows
 * its pull request.
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
    for (const { trialJob, sourceKeys } of tried) sourceKeys.push(...(await postAll(trialJob)));
  });
  await world.settled(jobIds);
  // A worker asks GitHub for failed deliveries when it starts.
  const second = await world.spawnWorker({ CLAIMS: 'open' });
  await world.untilMessages(
    tried.flatMap(({ trialJob: { jobId }, sourceKeys }) => sourceKeys.map((sourceKey) => ({ jobId, sourceKey }))),
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
  const messageCount = tried.flatMap((one) => one.sourceKeys).length;
  const done = tried.flatMap(({ history }) => history.acts).length + open.length;
  // Counts only these deliveries: GitHub also sends those of Pagewright's pushes and comments.
  ledger.count(8, name, messageCount + done, [...broken, ...unanswered]);
  ledger.count(15, name, messageCount, unanswered);
  await countWorkspaces(trial, name, worker.machine);
  for (const { trialJob } of tried) world.forgetTrialJob(trialJob);
  for (const process of [worker, second]) await process.kill('SIGTERM');

  async function prepare(index: number): Promise<Tried> {
    const [kind] = laterKinds;
    const history = histories[index % histories.length];
    if (!kind || !history) throw new Error('no deliveries to try');
    const trialJob = await prepareTrialJob(world, kind, firstProject + index, worker);
    await world.rita.pushCommit(
      trialJob.project.fullName,
      otherBase,
      { 'next.md': '# Next\n' },
      'Begin what comes next',
    );
    return { trialJob, before: await readOutcome(world, trialJob), history, sourceKeys: [] };
  }

  /** Holds the deliveries, then sends each several times in random order. */
  async function holdWhile(copies: number, happen: () => Promise<void>): Promise<void> {
    deliveries.setCopies(copies);
    deliveries.hold();
    await happen();
    deliveries.release((held) => random.shuffle(held));
    await deliveries.settled();
  }

  /** Posts two comments, one with a failed delivery, and a review. Returns their source keys. */
  async function postAll({ project, pullRequest }: TrialJob): Promise<string[]> {
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

  async function findWrongAnswers({ trialJob, before, sourceKeys: expected }: Tried): Promise<string[]> {
    const { status, messages, runs, comments, effects, faults } = subtract(await readOutcome(world, trialJob), before);
    const keys = (await world.listSources(trialJob.jobId)).filter((key) => !key.startsWith('msg_'));
    const posted = comments.filter((comment) => comment.startsWith('pagewright-')).length;
    const seen = effects.filter((effect) => /^comment:\w+:eyes done$/.test(effect)).length;
    const isRight =
      status === 'archived' &&
      keys.toSorted().join() === expected.toSorted().join() &&
      messages.every((message) => message.startsWith('answered')) &&
      faults.length === 0 &&
      // Each run posts one comment for all its messages.
      posted === runs.length &&
      seen === 2;
    const found = JSON.stringify({ status, keys, messages, runs, posted, seen, faults });
    return isRight ? [] : [`${trialJob.jobId} is ${found} after the deliveries ${expected.join(', ')}`];
  }
}
