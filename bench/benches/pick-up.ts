import { setTimeout as delay } from 'node:timers/promises';
import { describeLatencies, type Figure, formatMs, median, percentile } from '../figures/figure.ts';
import { startEmptyRuns } from '../world/start-empty-runs.ts';

const idleJobs = 100;
const burst = { jobs: 200, concurrency: 4, runMs: 20 };
const queued = 100;
const samples = 10;
const mostRuns = 1.2;

/**
 * Time from a POST to the claim of its job: one job at a time on an idle service, in a burst, and behind 100 queued jobs of other projects.
 * Takes about 30 s.
 */
export async function benchPickUp(): Promise<Figure[]> {
  return [
    ...(await measureIdle()),
    await measureBehind('1 slot, 1 backlog', { backlogs: 1, workers: 1, concurrency: 1 }),
    await measureBehind('2 workers with 2 slots, 1 backlog', { backlogs: 1, workers: 2, concurrency: 2 }),
    await measureBehind('2 workers with 1 slot, 4 backlogs', { backlogs: 4, workers: 2, concurrency: 1 }),
  ];
}

async function measureIdle(): Promise<Figure[]> {
  await using runs = await startEmptyRuns(burst);
  // The first request compiles and connects.
  for (let job = 0; job < 5; job += 1) await runs.post();

  const latencies: number[] = [];
  for (let job = 0; job < idleJobs; job += 1) {
    // A random moment, so that the POST is not in step with a timer of the worker or the queue.
    await delay(20 + Math.random() * 100);
    const postedAt = performance.now();
    const { startedAt: claimedAt } = await runs.post();
    latencies.push(claimedAt - postedAt);
  }

  const startedAt = performance.now();
  await Promise.all(Array.from({ length: burst.jobs }, () => runs.post()));
  const burstMs = performance.now() - startedAt;
  const runsMs = (burst.jobs * burst.runMs) / burst.concurrency;
  return [
    describeLatencies('POST to claim, idle', latencies, { share: 0.5, goalMs: 10 }),
    describeLatencies('POST to claim, idle', latencies, { share: 0.99, goalMs: 50 }),
    {
      what: `burst of ${burst.jobs} POSTs, ${burst.runMs} ms each on ${burst.concurrency} slots`,
      measured: `${formatMs(burstMs)}, of which ${runsMs} ms are the runs`,
    },
  ];
}

/** How long another project's first job waits while 100 jobs are queued, in run lengths. */
async function measureBehind(
  what: string,
  { backlogs, ...slots }: { backlogs: number; workers: number; concurrency: number },
): Promise<Figure> {
  const runMs = 300;
  await using runs = await startEmptyRuns({ ...slots, runMs, projects: backlogs + samples });
  // More jobs than the bench consumes.
  const jobs = queued + 4 * samples * slots.workers * slots.concurrency;
  let left = jobs;
  const accepted = Array.from({ length: jobs }, async (_, job) => {
    const { ended } = await runs.submit(job % backlogs);
    void ended.then(() => {
      left -= 1;
    });
  });
  await Promise.all(accepted);
  const waits: number[] = [];
  for (let sample = 0; sample < samples; sample += 1) {
    // A random moment, so that the POST is not in step with the runs.
    await delay(Math.random() * runMs);
    const postedAt = performance.now();
    const { startedAt: claimedAt } = await runs.post(backlogs + sample);
    waits.push((claimedAt - postedAt) / runMs);
  }
  if (left < queued) throw new Error(`only ${left} jobs were queued at the end`);
  const longest = percentile(waits, 1);
  return {
    what: `first job behind ${queued}, ${what}`,
    measured: `waited ${median(waits).toFixed(2)} runs, at most ${longest.toFixed(2)} (n = ${samples})`,
    goal: { text: `≤ ${mostRuns}`, isMet: longest <= mostRuns },
  };
}
