import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import { sql } from 'kysely';
import { eventually } from '../../harness/eventually.ts';
import { describeLatencies, type Figure } from '../figures/figure.ts';
import { type SendingPlan, type Sent, sentShape } from '../load/send-deliveries.ts';
import { type BenchWorld, openWorld } from '../world/open-world.ts';
import { leaveIt } from '../world/scripts.ts';

const sizes = [100, 2_000];
const times = 12;
const burst = { pages: 100, pullRequests: 100, jobs: 20 };
const unwanted = 1_000;

/**
 * From the webhook of a pull request to the conclusion of its check run, one at a time and a hundred at once, with jobs meanwhile; and what
 * pull requests cost that nobody wants to be checked. Takes about three minutes.
 */
export async function benchPullRequestChecks(): Promise<Figure[]> {
  const figures: Figure[] = [];
  for (const pages of sizes) figures.push(...(await benchSize(pages)));
  return [...figures, ...(await benchBurst()), ...(await benchUnwanted())];
}

function writeSite(pages: number): Record<string, string> {
  const files: Record<string, string> = { 'mkdocs.yml': 'site_name: Acme\n', 'docs/index.md': '# Acme\n' };
  for (let page = 0; page < pages; page += 1)
    files[`docs/part-${page % 20}/page-${page}.md`] =
      `# Page ${page}\n\n[Start](../index.md), [next](../part-${(page + 1) % 20}/page-${(page + 1) % pages}.md#use)\n\n## Use\n\n${'Some words of this page. '.repeat(60)}\n`;
  return files;
}

/** A site whose pull requests are checked. */
async function openSite(pages: number) {
  const settings = { '.github/pagewright.yml': 'checks: require\n' };
  const world = await openWorld({ script: leaveIt, files: { ...writeSite(pages), ...settings } });
  const { rita, repository, database } = world;
  const name = repository.fullName;
  await rita.pushCommit(name, 'main', { '.github/pagewright.yml': 'checks: advise\n' }, 'Check');
  await eventually(async () => {
    const projects = await database.selectFrom('projects').select('settings').execute();
    return JSON.stringify(projects).includes('advise') || undefined;
  });
  /** Opens a pull request. `untilChecked` resolves with its milliseconds until then. */
  const change = async (nth: number) => {
    const files = { 'docs/part-1/page-1.md': `# Page\n\n[Gone](gone-${nth}.md)\n` };
    const sha = await rita.pushCommit(name, `topic-${nth}`, files, 'Change');
    const isChecked = () =>
      rita.listChecks(name).some(({ headSha, conclusion }) => headSha === sha && conclusion !== null) || undefined;
    return {
      open: async () => {
        const openedAt = performance.now();
        await rita.openPullRequest(name, { title: 'Change', head: `topic-${nth}`, base: 'main' });
        return { untilChecked: async () => (await eventually(isChecked, patience)) && performance.now() - openedAt };
      },
    };
  };
  return { world, change };
}

const patience = { withinMs: 300_000, what: 'the pull request is checked' };

async function benchSize(pages: number): Promise<Figure[]> {
  const { world, change } = await openSite(pages);
  await using _ = world;
  const { github } = world;
  const took: number[] = [];
  let before = 0;
  for (let nth = 0; nth <= times; nth += 1) {
    // The first one fetches the repository.
    if (nth === 1) before = github.requests.length;
    const { untilChecked } = await (await change(nth)).open();
    const ms = await untilChecked();
    if (nth > 0) took.push(ms);
  }
  const asked = github.requests.slice(before).filter(({ api }) => api === 'rest').length;
  return [
    describeLatencies(`pull request to check run, ${count(pages)} pages`, took),
    { what: `requests of each, ${count(pages)} pages`, measured: (asked / times).toFixed(1) },
  ];
}

const count = (number: number) => number.toLocaleString('en');

/** Jobs are picked up while a hundred pull requests wait for their check. */
async function benchBurst(): Promise<Figure[]> {
  const { world, change } = await openSite(burst.pages);
  await using _ = world;
  const { github, database } = world;
  const runs = async (jobIds: readonly string[]) =>
    database
      .selectFrom('runs')
      .innerJoin('jobs', 'jobs.job_id', 'runs.job_id')
      .select(sql<number>`extract(epoch from runs.started_at - jobs.created_at)::float8 * 1000`.as('waitedMs'))
      .where('runs.job_id', 'in', jobIds)
      .execute();
  const pickUps = async () => {
    const jobIds: string[] = [];
    for (let nth = 0; nth < burst.jobs; nth += 1) {
      const jobId = await world.createJob(`Look at ${nth}.`);
      await world.untilDone(jobId, 1);
      jobIds.push(jobId);
    }
    return (await runs(jobIds)).map(({ waitedMs }) => waitedMs);
  };
  const idle = await pickUps();
  const changes = [];
  for (let nth = 0; nth < burst.pullRequests; nth += 1) changes.push(await change(nth));
  const opened = await Promise.all(changes.map(({ open }) => open()));
  const before = github.requests.length;
  const checked = Promise.all(opened.map(({ untilChecked }) => untilChecked()));
  const meanwhile = await pickUps();
  const stillWaiting = await database
    .selectFrom('pull_request_checks')
    .where('state', '=', 'waiting')
    .select('sha')
    .execute();
  if (stillWaiting.length === 0) throw new Error('the checks ended before the jobs');
  const took = await checked;
  const asked = github.requests.slice(before);
  const refused = asked.filter(({ status }) => status === 403 || status === 429).length;
  return [
    describeLatencies(`POST to claim of ${burst.jobs} jobs before`, idle),
    describeLatencies(`POST to claim of ${burst.jobs} jobs beside ${burst.pullRequests} pull requests`, meanwhile),
    describeLatencies(`pull request to check run, ${burst.pullRequests} at once`, took),
    { what: 'requests that GitHub refused meanwhile', measured: `${refused} of ${asked.length}` },
  ];
}

async function benchUnwanted(): Promise<Figure[]> {
  await using world = await openWorld({ script: leaveIt, files: { 'index.md': '# Acme\n' } });
  const { rita, repository, github, webhook, database } = world;
  const name = repository.fullName;
  await github.deliveries.settled();
  github.setWebhook(undefined, webhook.secret);
  await rita.pushCommit(name, 'topic', { 'index.md': '# Other\n' }, 'Change');
  await rita.openPullRequest(name, { title: 'Change', head: 'topic', base: 'main' });
  const opened = github.deliveries.log.findLast(({ event }) => event === 'pull_request');
  if (!opened) throw new Error('no webhook tells of the pull request');
  const { event, body } = opened;
  const deliveries = Array.from({ length: unwanted }, (_, nth) => ({ deliveryId: `unwanted-${nth}`, event, body }));
  const before = github.requests.length;
  const sent = await send(world, { deliveries, perSecond: 200 });
  const stored = await database.selectFrom('deliveries').select('delivery_id').where('event', '=', event).execute();
  const asked = github.requests.length - before;
  return [
    describeLatencies(
      `webhook of a pull request with checks: off`,
      sent.map(({ latencyMs }) => latencyMs),
    ),
    { what: `requests and rows of ${unwanted} of them`, measured: `${asked} requests, ${stored.length} rows` },
  ];
}

async function send({ webhook }: BenchWorld, plan: Pick<SendingPlan, 'deliveries' | 'perSecond'>): Promise<Sent> {
  const workerData: SendingPlan = { ...webhook, ...plan };
  const worker = new Worker(new URL('../load/send-deliveries.ts', import.meta.url), { workerData });
  const [sent] = await once(worker, 'message');
  return sentShape.parse(sent);
}
