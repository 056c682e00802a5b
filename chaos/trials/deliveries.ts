import { instruct, laterKinds, type Stage } from '../kinds.ts';
import { readOutcome } from '../outcome.ts';
import { createRandom } from '../random.ts';
import { prepareStage } from '../rehearse.ts';
import type { Trial } from '../trial.ts';

const sites = 8;
/** Where no round has been: what was said there would count. */
const firstSite = 180;

/** What a person wrote, and how often it may count. */
interface Said {
  stage: Stage;
  sourceKey: string;
}

/**
 * Deliveries come three times, in an order that the seed decides, and some not at all until GitHub is asked for them: every comment and
 * review is one message all the same, answered once, and what was merged is archived.
 */
export async function tryDeliveries({ world, rounds, ledger, seed }: Trial): Promise<void> {
  await rounds.stop();
  const random = createRandom(seed);
  const worker = await world.spawnWorker({ CLAIMS: 'open' });
  const [kind] = laterKinds;
  if (!kind) return;
  const { deliveries } = world.github;
  const stages = await Promise.all(
    Array.from({ length: sites }, (_, index) => prepareStage(world, kind, firstSite + index, worker)),
  );
  const before = deliveries.log.length;
  deliveries.setCopies(3);
  deliveries.hold();
  const said: Said[] = [];
  for (const stage of stages) {
    const name = stage.site.fullName;
    const number = stage.pullRequest ?? 0;
    // Its delivery fails; it is asked for by the next process that starts.
    deliveries.fail(({ event }) => event === 'issue_comment');
    for (const text of [instruct('comment', stage.site), instruct('comment', stage.site)]) {
      said.push({ stage, sourceKey: `comment:${world.rita.comment(name, number, text).id}` });
    }
    const review = await world.rita.review(name, number, { body: instruct('nothing to change', stage.site) });
    said.push({ stage, sourceKey: `review:${review.id}` });
  }
  deliveries.release((held) => random.shuffle(held));
  await deliveries.settled();
  const jobIds = stages.map(({ jobId }) => jobId);
  await world.settled(jobIds);
  const second = await world.spawnWorker({ CLAIMS: 'open' });
  await world.untilMessages(said.map(({ stage, sourceKey }) => ({ jobId: stage.jobId, sourceKey })));
  await world.settled(jobIds);
  deliveries.setCopies(2);
  deliveries.hold();
  for (const { site, pullRequest } of stages) await world.rita.mergePullRequest(site.fullName, pullRequest ?? 0);
  deliveries.release((held) => random.shuffle(held));
  await world.untilArchived(jobIds);
  deliveries.setCopies(1);

  const broken = await Promise.all(stages.map(check));
  ledger.count(8, `deliveries: --seed ${seed}`, deliveries.log.length - before, broken.flat());
  ledger.count(15, `deliveries: --seed ${seed}`, said.length, broken.flat());
  for (const stage of stages) world.forgetStage(stage);
  for (const process of [worker, second]) await process.kill('SIGTERM');

  async function check(stage: Stage): Promise<string[]> {
    const { messages, status } = await readOutcome(world, stage);
    const keys = (await world.listSources(stage.jobId)).filter((key) => !key.startsWith('msg_'));
    const wanted = said.filter((one) => one.stage === stage).map(({ sourceKey }) => sourceKey);
    const isRight =
      status === 'archived' &&
      keys.toSorted().join() === wanted.toSorted().join() &&
      messages.every((message) => message.startsWith('answered'));
    return isRight
      ? []
      : [`${stage.jobId} is ${status}: ${keys.join(', ')} (${messages.join(', ')}), not ${wanted.join(', ')}`];
  }
}
