import { setTimeout as delay } from 'node:timers/promises';
import { parentPort, workerData } from 'node:worker_threads';
import { z } from 'zod';

const { url } = z.object({ url: z.string() }).parse(workerData);

// In a separate thread: the work of the trials must not count as a delay of the service.
for (;;) {
  const began = performance.now();
  const status = await fetch(`${url}/livez`, { signal: AbortSignal.timeout(10_000) }).then(
    (response) => response.status,
    () => 0,
  );
  parentPort?.postMessage({ status, tookMs: performance.now() - began });
  await delay(25);
}
