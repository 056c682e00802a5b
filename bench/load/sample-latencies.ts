import { Agent, get } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';
import { parentPort, workerData } from 'node:worker_threads';
import { z } from 'zod';

const planShape = z.object({ url: z.string(), headers: z.record(z.string(), z.string()), everyMs: z.number() });
/** Input of a thread of this file. It asks until it gets a message, then posts an `Answer` per request. */
export type SamplePlan = z.infer<typeof planShape>;

export const answersShape = z.array(z.object({ status: z.number(), ms: z.number() }));
export type Answer = z.infer<typeof answersShape>[number];

// In a separate thread, so that work of the bench's process does not count as a latency.
if (parentPort) {
  const plan = planShape.parse(workerData);
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  const answers: Answer[] = [];
  let isOver = false;
  parentPort.once('message', () => {
    isOver = true;
  });
  while (!isOver) {
    const startedAt = performance.now();
    const status = await fetchStatus(plan, agent);
    answers.push({ status, ms: performance.now() - startedAt });
    await delay(plan.everyMs);
  }
  parentPort.postMessage(answers);
  agent.destroy();
}

function fetchStatus({ url, headers }: SamplePlan, agent: Agent): Promise<number> {
  return new Promise((resolve) => {
    const sending = get(url, { headers, agent }, (response) => {
      response.resume().once('end', () => resolve(response.statusCode ?? 0));
    });
    // The service is gone, or closed the connection.
    sending.once('error', () => resolve(0));
  });
}
