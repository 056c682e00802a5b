import { setTimeout as delay } from 'node:timers/promises';
import { parentPort, workerData } from 'node:worker_threads';
import { z } from 'zod';

const { url } = z.object({ url: z.string() }).parse(workerData);

// A thread of its own: what the trials do in theirs must not count as the service's delay.
for (;;) {
  const began = performance.now();
  const status = await fetch(`${url}/livez`, { signal: AbortSignal.timeout(10_000) }).then(
    (response) => response.status,
    () => 0,
  );
  parentPort?.postMessage({ status, tookMs: performance.now() - began });
  await delay(25);
}
