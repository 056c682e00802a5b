import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { type Figure, formatMs, median } from '../figures/figure.ts';
import { type PieceOfWork, readWork } from '../figures/read-work.ts';
import { bareJobCommands } from '../load/bare-job.ts';
import { openWorld } from '../world/open-world.ts';
import { perRunWriting } from '../world/scripts.ts';

const jobs = 5;
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

/** The kinds of work of the machine for a first run and for a follow-up, and how long each takes. The caller follows the events. */
export async function benchShare(): Promise<Figure[]> {
  await using cleanup = new AsyncDisposableStack();
  const directory = await mkdtemp(join(tmpdir(), 'pagewright-bench-'));
  cleanup.defer(() => rm(directory, { recursive: true, force: true }));
  const file = join(directory, 'work');
  await writeFile(file, '');
  const files = Object.fromEntries(Array.from({ length: 60 }, (_, page) => [`docs/${page}.md`, `# Page ${page}\n`]));
  const recorder = new URL('../load/record-work.ts', import.meta.url).href;
  const environment = { BENCH_WORK_FILE: file, NODE_OPTIONS: `--import=${recorder}` };
  const world = cleanup.use(await openWorld({ script: perRunWriting, files, environment }));
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
