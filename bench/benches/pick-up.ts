import { setTimeout as delay } from 'node:timers/promises';
import { describeLatencies, type Figure, formatMs } from '../figures/figure.ts';
import { startEmptyRuns } from '../world/start-empty-runs.ts';

const idleJobs = 100;
const burst = { jobs: 200, concurrency: 4, runMs: 20 };

/** Time from a POST to the claim of its job: first one job at a time on an idle service, then a burst. Takes about 15 s. */
export async function benchPickUp(): Promise<Figure[]> {
  await using runs = await startEmptyRuns(burst);
  // The first request compiles and connects.
  for (let job = 0; job < 5; job += 1) await runs.post();

  const latencies: number[] = [];
  for (let job = 0; job < idleJobs; job += 1) {
    // A random moment, so that the POST is not in step with a timer of the worker or the queue.
    await delay(20 + Math.random() * 100);
    const postedAt = performance.now();
    const { claimedAt } = await runs.post();
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
