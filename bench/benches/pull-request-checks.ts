import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import { eventually } from '../../harness/eventually.ts';
import { describeLatencies, type Figure } from '../figures/figure.ts';
import { type SendingPlan, type Sent, sentShape } from '../load/send-deliveries.ts';
import { type BenchWorld, openWorld } from '../world/open-world.ts';
import { leaveIt } from '../world/scripts.ts';

const sizes = [100, 2_000];
const times = 12;
const unwanted = 1_000;

/** From the webhook of a pull request to the conclusion of its check run; and what pull requests cost that nobody wants to be checked. */
export async function benchPullRequestChecks(): Promise<Figure[]> {
  const figures: Figure[] = [];
  for (const pages of sizes) figures.push(...(await benchSize(pages)));
  return [...figures, ...(await benchUnwanted())];
}

function writeSite(pages: number): Record<string, string> {
  const files: Record<string, string> = { 'mkdocs.yml': 'site_name: Acme\n', 'docs/index.md': '# Acme\n' };
  for (let page = 0; page < pages; page += 1)
    files[`docs/part-${page % 20}/page-${page}.md`] =
      `# Page ${page}\n\n[Start](../index.md), [next](../part-${(page + 1) % 20}/page-${(page + 1) % pages}.md#use)\n\n## Use\n\n${'Some words of this page. '.repeat(60)}\n`;
  return files;
}

async function benchSize(pages: number): Promise<Figure[]> {
  const settings = { '.github/pagewright.yml': 'checks: require\n' };
  await using world = await openWorld({ script: leaveIt, files: { ...writeSite(pages), ...settings } });
  const { rita, repository, github } = world;
  const name = repository.fullName;
  await rita.pushCommit(name, 'main', { '.github/pagewright.yml': 'checks: advise\n' }, 'Check');
  await eventually(async () => {
    const projects = await world.database.selectFrom('projects').select('settings').execute();
    return JSON.stringify(projects).includes('advise') || undefined;
  });
  const took: number[] = [];
  let before = 0;
  for (let nth = 0; nth <= times; nth += 1) {
    // The first one fetches the repository.
    if (nth === 1) before = github.requests.length;
    const text = `# Page\n\n[Gone](gone-${nth}.md)\n`;
    const sha = await rita.pushCommit(name, `topic-${nth}`, { 'docs/part-1/page-1.md': text }, 'Change');
    const startedAt = performance.now();
    await rita.openPullRequest(name, { title: 'Change', head: `topic-${nth}`, base: 'main' });
    await eventually(
      () =>
        rita.listChecks(name).some(({ headSha, conclusion }) => headSha === sha && conclusion !== null) || undefined,
    );
    if (nth > 0) took.push(performance.now() - startedAt);
  }
  const asked = github.requests.slice(before).filter(({ api }) => api === 'rest').length;
  return [
    describeLatencies(`pull request to check run, ${pages.toLocaleString('en')} pages`, took),
    { what: `requests of each, ${pages.toLocaleString('en')} pages`, measured: (asked / times).toFixed(1) },
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
