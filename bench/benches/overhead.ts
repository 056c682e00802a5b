import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { describeRatio, type Figure, formatMs, median, time } from '../figures/figure.ts';
import { type PieceOfWork, readWork } from '../figures/read-work.ts';
import { bareJobCommands, createBareJob } from '../load/bare-job.ts';
import { openWorld } from '../world/open-world.ts';
import { perRunWriting } from '../world/scripts.ts';

const jobs = 5;
const pairCount = 7;
const files = Object.fromEntries(Array.from({ length: 60 }, (_, page) => [`docs/${page}.md`, `# Page ${page}\n`]));
const most = bareJobCommands + 4;
/** Until the mirror is released and the token is revoked. */
const afterMs = 500;

const isBoss = ({ what }: PieceOfWork) => what.includes('pgboss');
const isModel = ({ what }: PieceOfWork) => what.endsWith('/responses');
const kinds: { what: string; isOf: (work: PieceOfWork) => boolean; goal?: boolean }[] = [
  { what: 'git commands', isOf: ({ kind }) => kind === 'git', goal: true },
  { what: 'SQL round trips', isOf: (work) => work.kind === 'sql' && !isBoss(work) },
  {
    what: 'SQL statements of the queue, with those of its other queues',
    isOf: (work) => work.kind === 'sql' && isBoss(work),
  },
  { what: 'requests to GitHub', isOf: (work) => work.kind === 'http' && !isModel(work) },
  { what: 'requests to the model', isOf: (work) => work.kind === 'http' && isModel(work) },
  { what: 'requests to a thread', isOf: ({ kind }) => kind === 'thread' },
  { what: 'waits that ran out', isOf: ({ kind }) => kind === 'wait' },
];

interface Span {
  from: number;
  to: number;
}

/** A job against a script with the same git and REST work, then the kinds of work of the machine for a first run and for a follow-up. */
export async function benchOverhead(): Promise<Figure[]> {
  await using cleanup = new AsyncDisposableStack();
  const directory = await mkdtemp(join(tmpdir(), 'pagewright-bench-'));
  cleanup.defer(() => rm(directory, { recursive: true, force: true }));
  return [...(await compareWithScript(directory)), ...(await listWork(join(directory, 'work')))];
}

/** From POST to pull request. The model's requests count as the job's. */
async function compareWithScript(directory: string): Promise<Figure[]> {
  await using world = await openWorld({ script: perRunWriting, files });
  const bareJob = createBareJob(world, directory);
  const job = async () => world.untilDone(await world.createJob('Write a page.'), 1);
  // The first of each clones, connects and compiles.
  await job();
  await bareJob('warm-up');

  const pairs: { ours: number; theirs: number }[] = [];
  for (let pair = 0; pair < pairCount; pair += 1) {
    const theirs = await time(() => bareJob(`bare-${pair}`));
    pairs.push({ ours: await time(job), theirs });
  }
  return [
    { what: 'a whole job', measured: formatMs(median(pairs.map(({ ours }) => ours))) },
    { what: 'a bare script', measured: formatMs(median(pairs.map(({ theirs }) => theirs))) },
    describeRatio('job / script', pairs, { atMost: 1.5 }),
  ];
}

/** What each kind of work takes. The caller follows the events. */
async function listWork(file: string): Promise<Figure[]> {
  await writeFile(file, '');
  const recorder = new URL('../load/record-work.ts', import.meta.url).href;
  const environment = { BENCH_WORK_FILE: file, NODE_OPTIONS: `--import=${recorder}` };
  await using world = await openWorld({ script: perRunWriting, files, environment });
  // The first clones, connects and compiles.
  await world.untilDone(await world.createJob('Write a page.'), 1);

  const spans: { first: Span[]; followUp: Span[] } = { first: [], followUp: [] };
  for (let job = 0; job < jobs; job += 1) {
    let jobId = '';
    spans.first.push(
      await span(async () => {
        jobId = await world.createJob('Write a page.');
        await world.untilDone(jobId, 1);
      }),
    );
    spans.followUp.push(
      await span(async () => {
        await world.sendMessage(jobId, 'Write another page.');
        await world.untilDone(jobId, 2);
      }),
    );
  }
  const work = await readWork(file);
  return [
    { what: 'git commands of a bare script', measured: String(bareJobCommands) },
    ...describe('first run', { work, spans: spans.first }),
    ...describe('follow-up', { work, spans: spans.followUp }),
  ];
}

async function span(work: () => Promise<void>): Promise<Span> {
  const read = () => performance.timeOrigin + performance.now();
  const from = read();
  await work();
  const to = read();
  await delay(afterMs);
  return { from, to };
}

function describe(run: string, { work, spans }: { work: PieceOfWork[]; spans: Span[] }): Figure[] {
  const total = median(spans.map(({ from, to }) => to - from));
  const rows = kinds.map(({ what, isOf, goal }): Figure => {
    const each = spans.map(({ from, to }) =>
      // Also the work after the end: releasing the mirror is a part of the run.
      work.filter((piece) => isOf(piece) && piece.startedAt >= from && piece.startedAt < to + (goal ? afterMs : 0)),
    );
    const count = median(each.map(({ length }) => length));
    const ms = median(each.map((pieces) => pieces.reduce((sum, piece) => sum + piece.ms, 0)));
    const figure: Figure = { what: `${run}: ${what}`, measured: `${count}, ${formatMs(ms)} together` };
    if (goal && run === 'first run') figure.goal = { text: `≤ ${most}`, isMet: count <= most };
    return figure;
  });
  return [{ what: `${run}: from the POST to its end`, measured: formatMs(total) }, ...rows];
}
