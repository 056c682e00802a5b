import { Agent, get } from 'node:http';
import { parentPort, workerData } from 'node:worker_threads';
import { z } from 'zod';

const planShape = z.object({
  url: z.string(),
  headers: z.record(z.string(), z.string()),
  connections: z.number(),
  forMs: z.number(),
});
/** Input of a thread of this file. It posts the requests a second that were answered with 200; any other answer ends it. */
export type RequestsPlan = z.infer<typeof planShape>;

// In a separate thread, so that the measuring does not slow the service.
if (parentPort) {
  const plan = planShape.parse(workerData);
  const agent = new Agent({ keepAlive: true, maxSockets: plan.connections });
  const startedAt = performance.now();
  let answered = 0;
  const work = async () => {
    while (performance.now() - startedAt < plan.forMs) {
      await fetchOnce(plan, agent);
      answered += 1;
    }
  };
  await Promise.all(Array.from({ length: plan.connections }, work));
  parentPort.postMessage((answered * 1_000) / (performance.now() - startedAt));
  agent.destroy();
}

function fetchOnce({ url, headers }: RequestsPlan, agent: Agent): Promise<void> {
  return new Promise((resolve, reject) => {
    const sending = get(url, { headers, agent }, (response) => {
      if (response.statusCode !== 200) reject(new Error(`could not get ${url}: ${response.statusCode}`));
      response.resume().once('end', resolve);
    });
    sending.once('error', reject);
  });
}
