import { sql } from 'kysely';
import { eventually } from '../../harness/eventually.ts';
import { call } from '../../harness/script-steps.ts';
import type { Script } from '../../local/model/script.ts';
import { createSilentLog } from '../../src/log.ts';
import { createQueue } from '../../src/store/schedule/queue.ts';
import type { Figure } from '../figures/figure.ts';
import { formatMb, toMb } from '../figures/process-figures.ts';
import { type Sample, tables, takeSample } from '../figures/take-sample.ts';
import { type BenchWorld, openWorld } from '../world/open-world.ts';
import type { ProjectClient } from '../world/project-client.ts';

const jobsPerSample = 100;
/** GitHub's limits are per installation: with one installation, a thousand jobs would take an hour. */
const projectCount = 4;
const swept = ['turns', 'run_files', 'deliveries'];

/** Checks that finished jobs leave nothing behind. 1,000 jobs take about six minutes; `npm run bench -- flat 200` fewer. */
export async function benchFlat(jobs = 1_000): Promise<Figure[]> {
  const environment = { WORKER_CONCURRENCY: '8', TURNS_RETENTION_DAYS: '0', DELIVERIES_RETENTION_DAYS: '4' };
  await using world = await openWorld({ script, files: { 'index.md': '# Acme\n' }, environment });
  const queue = createQueue({
    connection: world.connection,
    log: createSilentLog(),
  });
  await queue.start();
  await using cleanup = new AsyncDisposableStack();
  cleanup.defer(() => queue.stop());
  const projects = await Promise.all(
    Array.from({ length: projectCount * 8 }, (_, index) => world.addProject(`team-${index}`)),
  );
  const samples: Sample[] = [];
  for (let done = 0; done < jobs; done += jobsPerSample) {
    await workThrough(world, projects, done);
    await sweep(world, () => queue.triggerSchedule('sweep'));
    samples.push(await takeSample(world));
  }
  return describe(samples);
}

/** The prompt names what the job does. */
const script: Script = ({ messages, turn }) => {
  const said = messages.map(({ text }) => text).join('\n');
  const kind = /Please (\w+) page (\d+)/g;
  const [, verb, page] = [...said.matchAll(kind)].at(-1) ?? [];
  if (verb === 'refuse') return { fault: { kind: 'status', status: 400, code: 'content_policy_violation' } };
  if (verb === 'leave' || turn > 0) return call('finish', { summary: 'That is it.', title: `Write page ${page}` });
  return call('write_file', { path: `page-${page}.md`, content: `# Page ${page}\n\n${said.length} characters.\n` });
};

/** Of ten jobs: five write a page and are merged, one of them after a follow-up; one is closed; three change nothing; one is refused. */
async function workThrough(world: BenchWorld, projects: readonly ProjectClient[], first: number): Promise<void> {
  const work = async (index: number) => {
    const project = projects[index % projects.length];
    if (!project) return;
    const nth = index % 10;
    const verb = nth < 6 ? 'write' : nth < 9 ? 'leave' : 'refuse';
    const jobId = await project.createJob(`Please ${verb} page ${index}.`);
    await untilOver(world, jobId);
    if (nth === 0) {
      await project.sendMessage(jobId, `Please write page ${index}00.`);
      await untilOver(world, jobId);
    }
    const { pull_request_number: number } = await world.database
      .selectFrom('jobs')
      .select('pull_request_number')
      .where('job_id', '=', jobId)
      .executeTakeFirstOrThrow();
    if (number === null) return;
    if (nth === 5) await world.rita.closePullRequest(project.repository.fullName, number);
    else await world.rita.mergePullRequest(project.repository.fullName, number);
  };
  await Promise.all(Array.from({ length: jobsPerSample }, (_, index) => work(first + index)));
  await world.github.deliveries.settled();
}

const untilOver = ({ database }: BenchWorld, jobId: string) =>
  eventually(
    async () => {
      const row = await database
        .selectFrom('jobs')
        .select('status')
        .where('job_id', '=', jobId)
        .executeTakeFirstOrThrow();
      return row.status !== 'active' || undefined;
    },
    { everyMs: 500, withinMs: 180_000 },
  );

/** Removes everything as if its retention had passed. */
async function sweep({ database }: BenchWorld, trigger: () => Promise<void>): Promise<void> {
  await eventually(
    async () => {
      const { rows } = await sql`select from deliveries where state = 'stored' limit 1`.execute(database);
      return rows.length === 0 || undefined;
    },
    { everyMs: 100 },
  );
  await sql`update deliveries set processed_at = processed_at - interval '5 days', received_at = received_at - interval '5 days'`.execute(
    database,
  );
  await trigger();
  await eventually(
    async () => {
      const { rows } = await sql`select from pgboss.job where name = 'sweep' and state < 'completed' limit 1`.execute(
        database,
      );
      return rows.length === 0 || undefined;
    },
    { everyMs: 100, withinMs: 120_000 },
  );
}

function describe(samples: readonly Sample[]): Figure[] {
  const jobs = samples.length * jobsPerSample;
  const [first] = samples;
  const last = samples.at(-1);
  if (!first || !last) return [];
  // The first hundreds fill caches and pools.
  const settled = samples.slice(Math.min(3, Math.floor(samples.length / 2)));
  // Too few samples to show a slope.
  const isTold = settled.length >= 4;
  const slope = (of: (sample: Sample) => number) => (isTold ? fitSlope(settled.map(of)) : Number.NaN);
  const rssSlope = toMb(slope(({ rss }) => rss));
  const perJob = (of: (sample: Sample) => number) =>
    `${((of(last) - of(first)) / Math.max(1, jobs - jobsPerSample) / 1024).toFixed(1)} KB per job`;
  const span = (of: (sample: Sample) => number) => `${of(first)} to ${of(last)}`;
  const grown = swept.filter((table) => last.rows.get(table) !== 0);
  return [
    {
      what: `memory, over ${jobs} jobs`,
      measured: `${formatMb(first.rss)} to ${formatMb(last.rss)}, ${isTold ? `${rssSlope.toFixed(1)} MB each 100 jobs` : 'too few jobs for a slope'}`,
      ...(isTold && { goal: { text: '≤ 2 MB each 100 jobs', isMet: rssSlope <= 2 } }),
    },
    {
      what: 'open files',
      measured: span(({ files }) => files),
      ...(isTold && { goal: { text: '≤ 1 each 100 jobs', isMet: slope(({ files }) => files) <= 1 } }),
    },
    {
      what: 'database connections, including the bench',
      measured: span(({ connections }) => connections),
      ...(isTold && { goal: { text: '≤ 1 each 100 jobs', isMet: slope(({ connections }) => connections) <= 1 } }),
    },
    {
      what: 'workspaces left',
      measured: span(({ workspaces }) => workspaces),
      goal: { text: '0', isMet: last.workspaces === 0 },
    },
    {
      what: 'database, with its indexes',
      measured: `${formatMb(first.databaseBytes)} to ${formatMb(last.databaseBytes)}, ${perJob(({ databaseBytes }) => databaseBytes)}`,
    },
    { what: 'mirrors, bounded by CACHE_MAX_BYTES', measured: perJob(({ dataBytes }) => dataBytes) },
    ...tables.map((table) => ({
      what: `rows of ${table}`,
      measured: span(({ rows }) => rows.get(table) ?? 0),
      ...(swept.includes(table) && { goal: { text: '0', isMet: !grown.includes(table) } }),
    })),
  ];
}

/** Least squares over evenly spaced samples. */
function fitSlope(figures: readonly number[]): number {
  const middle = (figures.length - 1) / 2;
  const spread = figures.reduce((sum, _, index) => sum + (index - middle) ** 2, 0);
  return spread === 0 ? 0 : figures.reduce((sum, figure, index) => sum + (index - middle) * figure, 0) / spread;
}
