import { setTimeout as delay } from 'node:timers/promises';
import type { Log } from '../log.ts';
import { createSerialTask } from '../serial-task.ts';
import { withDeadline } from '../store/postgres/availability.ts';
import {
  type ClaimedDelivery,
  claimWebhookDelivery,
  releaseWebhookDelivery,
  type TriedDelivery,
} from '../store/tables/webhooks/webhook-deliveries.ts';
import { deliver, type WebhookParts } from './deliver.ts';

export interface Dispatcher extends AsyncDisposable {
  /** Sends the due deliveries. Cheap, and never throws. */
  look(): void;
}

/** How many one process sends at once. */
const slots = 64;
/** Webhooks that fail wait for their time-outs, and must leave slots to the others. */
const slotsForFailing = 16;
/** Over all processes. */
const limits = { perWebhook: 4, perProject: 16 };

/** At least once, in order for a job and webhook. The table holds the truth: a delivery that a dead process claimed is due again soon. */
export function createDispatcher(
  parts: WebhookParts & { onTried?: (tried: TriedDelivery, durationMs: number) => void; drainMs: number; log: Log },
): Dispatcher {
  const { database, timing, onTried = () => {}, drainMs, log } = parts;
  const sending = new Set<Promise<void>>();
  let failing = 0;
  const leaving = new AbortController();
  const stopping = new AbortController();

  async function sendOne(claimed: ClaimedDelivery): Promise<void> {
    const startedAt = performance.now();
    try {
      onTried(await deliver(parts, claimed, leaving.signal), performance.now() - startedAt);
    } catch (error) {
      const { delivery_id: deliveryId } = claimed.delivery;
      if (!leaving.signal.aborted) log.warn({ err: error, deliveryId }, 'could not send a webhook; it will be retried');
      else await releaseWebhookDelivery(database, claimed.delivery).catch(() => {});
    }
  }

  function start(claimed: ClaimedDelivery): void {
    const isFailing = claimed.webhook.failing_since !== null;
    if (isFailing) failing += 1;
    const slot = sendOne(claimed).finally(() => {
      if (isFailing) failing -= 1;
      sending.delete(slot);
      looks.request();
    });
    sending.add(slot);
  }

  async function fillSlots(): Promise<void> {
    while (sending.size < slots && !stopping.signal.aborted) {
      const includesFailing = failing < slotsForFailing;
      const options = { ...limits, includesFailing, claimMs: timing.claimMs };
      const claimed = await withDeadline(database, {}, (connection) => claimWebhookDelivery(connection, options));
      if (!claimed) return;
      start(claimed);
    }
  }

  const looks = createSerialTask({
    work: fillSlots,
    onError: (error) => log.warn({ err: error }, 'could not claim due webhook deliveries'),
    signal: stopping.signal,
  });

  const timer = setInterval(looks.request, timing.lookEveryMs);
  return {
    look: looks.request,
    async [Symbol.asyncDispose]() {
      clearInterval(timer);
      stopping.abort();
      const drain = setTimeout(() => leaving.abort(new Error('the service is stopping')), drainMs);
      while (looks.isRunning() || sending.size > 0) await Promise.race([...sending, delay(20)]);
      clearTimeout(drain);
    },
  };
}
