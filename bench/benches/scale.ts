import { sql } from 'kysely';
import { type Figure, formatMs } from '../figures/figure.ts';
import { readIdleTime } from '../figures/process-figures.ts';
import { type Fleet, openFleet, type ProcessorUse } from '../world/open-fleet.ts';

const workerCounts = [1, 2, 4, 8];
const otherCores = 8;
/** One job a project: GitHub's pause between writes is no part of the figure. */
const jobsOfAProject = 1;

interface Point {
  workers: number;
  runsPerSecond: number;
  /** Of a run, in milliseconds of processor time. */
  use: ProcessorUse;
  /** Of the workers' part. */
  parts: { loop: number; threads: number; git: number };
  coresUsed: number;
  /** What other work on this machine left: `coresUsed`, and what was idle. */
  coresFree: number;
  /** From the claim to the end of a run, on average. */
  runMs: number;
  claimP99: string;
  failed: number;
  /** Runs that found no mirror on their worker's disk. */
  cold: number;
  runs: number;
}

/** Whole runs, whose model answers at once, on 1 to 8 worker processes, two web processes and one PostgreSQL. Takes three minutes. */
export async function benchScale(counts: readonly number[]): Promise<Figure[]> {
  await using fleet = await openFleet();
  const figures: Figure[] = [];
  for (const workers of counts.length > 0 ? counts : workerCounts)
    figures.push(...describePoint(await measurePoint(fleet, workers)));
  return figures;
}

async function measurePoint(fleet: Fleet, count: number): Promise<Point> {
  await using workers = await fleet.startWorkers(count);
  // Compiles, connects, and lets every worker run something.
  await fleet.runJobs(fleet.projectCount);
  const mirrors = await workers.countMirrors();
  const begun = await fleet.database
    .selectFrom('runs')
    .select(sql<Date>`clock_timestamp()`.as('at'))
    .executeTakeFirst();
  const claimsBefore = await workers.readClaims();
  const loopsBefore = await workers.readLoops();
  const runs = jobsOfAProject * fleet.projectCount;
  let ms = 0;
  const {
    use: used,
    cores,
    free,
  } = await measureFree(workers, async () => {
    ms = await fleet.runJobs(runs);
  });
  const loopsAfter = await workers.readLoops();
  const claimsAfter = await workers.readClaims();
  const { rows } = await sql<{ runMs: number; failed: number }>`
    select avg(extract(epoch from ended_at - started_at) * 1000)::float8 as "runMs",
      (count(*) filter (where outcome <> 'completed'))::int as failed
    from runs where started_at >= ${begun?.at ?? new Date(0)}`.execute(fleet.database);
  const use = mapUse((part) => used[part] / runs);
  const loop = (loopsAfter.loop - loopsBefore.loop) / runs;
  const threads = (loopsAfter.threads - loopsBefore.threads) / runs;
  return {
    workers: count,
    runsPerSecond: (1_000 * runs) / ms,
    use,
    parts: { loop, threads, git: use.workers - loop - threads },
    coresUsed: cores,
    coresFree: free,
    runMs: rows[0]?.runMs ?? Number.NaN,
    claimP99: boundP99(claimsBefore, claimsAfter),
    failed: rows[0]?.failed ?? 0,
    cold: (await workers.countMirrors()) - mirrors,
    runs,
  };
}

const mapUse = (read: (part: keyof ProcessorUse) => number): ProcessorUse => ({
  postgres: read('postgres'),
  web: read('web'),
  workers: read('workers'),
  standIns: read('standIns'),
});

const sumUse = (use: ProcessorUse) => use.postgres + use.web + use.workers + use.standIns;

async function measureFree(workers: Awaited<ReturnType<Fleet['startWorkers']>>, work: () => Promise<void>) {
  const [before, idleBefore, startedAt] = [await workers.readUse(), await readIdleTime(), performance.now()];
  await work();
  const [ms, idle, after] = [
    performance.now() - startedAt,
    (await readIdleTime()) - idleBefore,
    await workers.readUse(),
  ];
  const use = mapUse((part) => after[part] - before[part]);
  return { use, cores: sumUse(use) / ms, free: (sumUse(use) + idle) / ms };
}

/**
 * The most runs a second of `otherCores` that run nothing else, by the times of a run: all cores are full, or every event loop is. Waits, and what
 * processes take from one another, come on top.
 */
function computeElsewhere(use: ProcessorUse, { loop }: Point['parts']): Figure[] {
  const ofCores = (1_000 * otherCores) / (use.postgres + use.web + use.workers);
  return workerCounts.map((workers) => {
    const ofLoops = (1_000 * workers) / loop;
    return {
      what: `  computed: ${workers} on ${otherCores} cores`,
      measured: `at most ${Math.min(ofCores, ofLoops).toFixed(0)} runs a second: ${ofLoops < ofCores ? 'their event loops' : 'the cores'} are full`,
    };
  });
}

/** The smallest bucket of the service's metric that contains 99 % of the claims. */
function boundP99(before: ReadonlyMap<number, number>, after: ReadonlyMap<number, number>): string {
  const counts = [...after].map(([most, count]) => [most, count - (before.get(most) ?? 0)] as const);
  const all = counts.find(([most]) => most === Number.POSITIVE_INFINITY)?.[1] ?? 0;
  const [most] = counts.toSorted(([a], [b]) => a - b).find(([, count]) => count >= 0.99 * all) ?? [Number.NaN];
  return `≤ ${most * 1_000} ms`;
}

function describePoint(point: Point): Figure[] {
  const { workers, runsPerSecond, use, parts, coresUsed, coresFree, runMs, claimP99, failed, cold, runs } = point;
  const total = sumUse(use);
  const share = (ms: number) => `${ms.toFixed(0)} ms (${((100 * ms) / total).toFixed(0)} %)`;
  return [
    {
      what: `${workers} worker${workers > 1 ? 's' : ''}, 2 web`,
      measured: `${runsPerSecond.toFixed(2)} runs a second, ${runMs.toFixed(0)} ms a run, claim p99 ${claimP99}, ${coresUsed.toFixed(1)} of ${coresFree.toFixed(1)} free cores`,
    },
    {
      what: '  processor time of a run',
      measured: `PostgreSQL ${share(use.postgres)}, workers ${share(use.workers)}, web ${share(use.web)}, stand-ins ${share(use.standIns)}`,
    },
    {
      what: '  of the workers',
      measured: `event loop ${formatMs(parts.loop)}, other threads ${formatMs(parts.threads)}, git ${formatMs(parts.git)}`,
    },
    ...(workers === 1 ? computeElsewhere(use, parts) : []),
    {
      what: '  runs without a mirror',
      measured: `${cold} of ${runs}${failed > 0 ? `; ${failed} runs failed` : ''}`,
    },
  ];
}
