import type { Config } from './config/config.ts';
import { startHttpServer } from './http/server.ts';
import type { Log } from './log.ts';
import { openParts } from './service/parts.ts';
import { startWorking } from './service/start-working.ts';
import { type TakeStep, takeStepDirectly } from './steps.ts';
import type { Redactor } from './text/redact.ts';
import type { Worker } from './worker/worker.ts';

export interface Service extends AsyncDisposable {
  /** Where it listens: `http://127.0.0.1:3000`. */
  url: string;
}

/**
 * Builds every part of the service once, in order, and starts it. Disposing stops them: first nothing new is taken in, then live
 * runs are handed over, the database goes last. An abort before it has started leaves nothing behind and throws the signal's reason.
 */
export async function startService({
  signal = new AbortController().signal,
  takeStep = takeStepDirectly,
  ...given
}: {
  config: Config;
  log: Log;
  redactor: Redactor;
  signal?: AbortSignal;
  /** Test hook that runs every step. */
  takeStep?: TakeStep;
}): Promise<Service> {
  const { config, log } = given;
  await using cleanup = new AsyncDisposableStack();

  const parts = await openParts({ ...given, takeStep }, cleanup, signal);
  // Served before anything works, so that a port in use ends the start before a job is claimed; the door is also the first to close.
  await using door = new AsyncDisposableStack();
  let worker: Worker | undefined;
  const readMetrics = () => {
    const slots = config.workerConcurrency;
    return parts.metrics.render({ worker: worker && { live: worker.live(), slots }, connections: parts.readPoolUse() });
  };
  const { url, open } = await startHttpServer({ ...parts, readMetrics }, door);
  if (config.role !== 'web') worker = await startWorking(parts, cleanup);
  signal.throwIfAborted();
  open();
  cleanup.use(door.move());
  // Told before the door has closed: a stop has 30 s in all, and runs may need half of them; so may the queue without its database.
  cleanup.defer(() => {
    void worker?.stop();
    // Whoever waits for its end, further down, is told what went wrong.
    parts.store.queue.stopWorking().catch(() => {});
  });
  log.info({ url, role: config.role }, 'pagewright is ready');
  const held = cleanup.move();
  return { url, [Symbol.asyncDispose]: () => held.disposeAsync() };
}
