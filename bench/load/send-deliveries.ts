import { createHmac } from 'node:crypto';
import { Agent, request } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';
import { parentPort, workerData } from 'node:worker_threads';
import { z } from 'zod';

const planShape = z.object({
  url: z.string(),
  secret: z.string(),
  perSecond: z.number(),
  deliveries: z.array(z.object({ deliveryId: z.string(), event: z.string(), body: z.string() })),
});
/** The bodies in the order of sending. */
export type SendingPlan = z.infer<typeof planShape>;

export const sentShape = z.array(
  z.object({ deliveryId: z.string(), at: z.number(), latencyMs: z.number(), status: z.number() }),
);
/** `at`: when a delivery was due, in milliseconds of `Date.now()`. The latency counts from then. */
export type Sent = z.infer<typeof sentShape>;

// In a separate thread, so that neither the stand-in nor the measuring delays the deliveries.
if (parentPort) {
  const plan = planShape.parse(workerData);
  const agent = new Agent({ keepAlive: true });
  const startedAt = Date.now() + 50;
  const sent = plan.deliveries.map(async (delivery, index): Promise<Sent[number]> => {
    const at = startedAt + (index * 1_000) / plan.perSecond;
    await delay(at - Date.now());
    const status = await post(plan, delivery, agent);
    return { deliveryId: delivery.deliveryId, at, latencyMs: Date.now() - at, status };
  });
  parentPort.postMessage(await Promise.all(sent));
  agent.destroy();
}

function post(
  { url, secret }: SendingPlan,
  { deliveryId, event, body }: SendingPlan['deliveries'][number],
  agent: Agent,
): Promise<number> {
  const headers = {
    'content-type': 'application/json',
    'content-length': Buffer.byteLength(body),
    'x-github-delivery': deliveryId,
    'x-github-event': event,
    'x-hub-signature-256': `sha256=${createHmac('sha256', secret).update(body).digest('hex')}`,
  };
  return new Promise((resolve, reject) => {
    const sending = request(url, { method: 'POST', headers, agent }, (response) => {
      response.resume().once('end', () => resolve(response.statusCode ?? 0));
    });
    sending.once('error', reject).end(body);
  });
}
