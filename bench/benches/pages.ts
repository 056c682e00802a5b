import { sql } from 'kysely';
import { launchBrowser } from '../../harness/browser/launch-browser.ts';
import { signIn } from '../../harness/browser/sign-in.ts';
import { createVisitor, type Visitor } from '../../harness/visitor.ts';
import { chosen, type Script } from '../../local/model/script.ts';
import { describeDuration, describeLatencies, describeRatio, type Figure, median, time } from '../figures/figure.ts';
import { weighPages, weightFiles, weightScript } from '../load/page-weight.ts';
import { type BenchWorld, openWorld } from '../world/open-world.ts';

const turns = 500;
const events = 5_000;
const many = 10_000;
const few = 100;
const mostBytes = 2_000_000;
const rounds = 40;
const opened = 7;

const page = `# Limits\n\n${'Each key may send 60 requests a minute. '.repeat(200)}\n`;
const read = { name: 'read_file', arguments: { path: 'limits.md' } };
const raise: Script = ({ turn }) =>
  [
    { text: 'I look at the pages, and at what leads there.', calls: [read, read, read] },
    { calls: [{ name: 'write_file', arguments: { path: 'limits.md', content: page.replaceAll('60', '100') } }] },
    { calls: [{ name: 'finish', arguments: { title: 'Raise the limit', summary: 'The limit is 100 now.' } }] },
  ][turn] ?? { text: 'Done.' };

/** The page of a long job, to a program and to a browser; a list of 10,000 jobs against one of 100. */
export async function benchPages(): Promise<Figure[]> {
  const script = chosen([
    { when: 'Raise the limit', script: raise },
    { when: '', script: weightScript },
  ]);
  await using world = await openWorld({ script, files: { 'limits.md': page, ...weightFiles } });
  world.github.setPermission('acme/docs', 'rita', 'maintain');
  const rita = createVisitor({ url: world.url, github: world.github });
  await rita.signIn('rita');
  const jobId = await world.createJob('Raise the limit.');
  await world.untilSettled(jobId);
  await lengthen(world, jobId);
  const job = `/projects/${world.projectId}/jobs/${jobId}`;
  const sizes: number[] = [];
  const latencies = await repeat(rita, job, sizes);
  const size = Math.max(...sizes);
  return [
    describeLatencies(`a job of ${turns} turns and ${events} events`, latencies, { goalMs: 300 }),
    {
      what: 'its size',
      measured: `${Math.round(size / 1_000)} kB`,
      goal: { text: '< 2 MB', isMet: size < mostBytes },
    },
    describeDuration('until a browser has loaded it (median)', await openInBrowser(world, job), { goalMs: 1_500 }),
    await compareLists(world, rita),
    ...(await weighPages(world, rita)),
  ];
}

async function repeat(rita: Visitor, path: string, sizes: number[]): Promise<number[]> {
  const latencies: number[] = [];
  for (let round = -5; round < rounds; round += 1) {
    const took = await time(async () => {
      const { status, text } = await rita.get(path);
      if (status !== 200) throw new Error(`${path} was answered ${status}`);
      sizes.push(Buffer.byteLength(text));
    });
    if (round >= 0) latencies.push(took);
  }
  return latencies;
}

/** As if the run had gone on for long: copies of its first turn, and of its events. */
async function lengthen({ database }: BenchWorld, jobId: string): Promise<void> {
  await sql`
    insert into turns (run_id, turn_index, inputs, answer, results)
    select run_id, n, '[]', answer, results from turns join runs using (run_id), generate_series(3, ${turns - 1}::int) n
    where job_id = ${jobId} and turn_index = 0`.execute(database);
  await sql`
    insert into events (job_id, seq, type, data, at)
    select ${jobId}, n, 'file.changed', json_build_object(
      'runId', (select max(run_id) from runs where job_id = ${jobId}),
      'path', 'page-' || n % 400 || '.md', 'additions', n % 7, 'deletions', 1), now()
    from jobs, generate_series(next_event, ${events}::int) n where job_id = ${jobId}`.execute(database);
  await sql`update jobs set next_event = ${events + 1}::int where job_id = ${jobId}`.execute(database);
}

async function openInBrowser({ url }: BenchWorld, path: string): Promise<number> {
  const browser = await launchBrowser();
  try {
    const tab = await (await browser.newContext()).newPage();
    await signIn(tab, url);
    const took: number[] = [];
    for (let round = 0; round < opened; round += 1)
      took.push(await time(() => tab.goto(`${url}${path}`, { waitUntil: 'load' })));
    return median(took);
  } finally {
    await browser.close();
  }
}

async function compareLists(world: BenchWorld, rita: Visitor): Promise<Figure> {
  const other = await world.addProject('few');
  await fill(world, { projectId: world.projectId, count: many, letter: 'a' });
  await fill(world, { projectId: other.projectId, count: few, letter: 'b' });
  const open = (projectId: string) => time(() => rita.get(`/projects/${projectId}`));
  const pairs: { ours: number; theirs: number }[] = [];
  for (let round = -5; round < rounds; round += 1) {
    const pair = { ours: await open(world.projectId), theirs: await open(other.projectId) };
    if (round >= 0) pairs.push(pair);
  }
  return describeRatio('a list of 10,000 jobs against one of 100', pairs, { atMost: 1.5 });
}

const fill = (
  { database }: BenchWorld,
  { projectId, count, letter }: { projectId: string; count: number; letter: string },
) =>
  sql`
    insert into jobs (job_id, project_id, status, base, branch, model, draft, pull_request_number, created_at)
    select ${`job_${letter}`} || lpad(n::text, 25, '0'), ${projectId}, 'completed', 'main', 'pagewright/change-' || n,
      'gpt-5', false, n, now() from generate_series(1000, 999 + ${count}::int) n`.execute(database);
