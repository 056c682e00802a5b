import { once } from 'node:events';
import type { ServerResponse } from 'node:http';
import type { EventFeed } from '../../events/event-feed.ts';
import type { StoredEvent } from '../../store/tables/jobs/events.ts';
import type { Timing } from '../../timing.ts';
import { Problem, retryLater } from '../problem.ts';

export interface EventStream {
  jobId: string;
  after: number;
  /** The key or session that reads it. */
  reader: string;
  /** Asked from time to time: the stream ends when access does. */
  isAllowed: () => Promise<boolean>;
}

const maxStreamsPerReader = 100;
const maxStreams = 1_000;
const maxUnsentBytes = 256 * 1024;

/** Sends the events of jobs as they happen. https://html.spec.whatwg.org/multipage/server-sent-events.html */
export type SendEvents = (response: ServerResponse, stream: EventStream) => Promise<void>;

/** `format`: what a reader gets of an event, as JSON. The promise ends with the stream. Throws the problems 429 and 503 when too many are open. */
export function createEventStreams({
  feed,
  timing,
  format,
}: {
  feed: EventFeed;
  timing: Timing['events'];
  format: (event: StoredEvent) => object;
}): SendEvents {
  const open = new Map<string, number>();
  let total = 0;
  /** Readers of the same job share the text. */
  const frames = new WeakMap<StoredEvent, string>();

  function toFrame(event: StoredEvent): string {
    const frame =
      frames.get(event) ?? `id: ${event.seq}\nevent: ${event.type}\ndata: ${JSON.stringify(format(event))}\n\n`;
    frames.set(event, frame);
    return frame;
  }

  function enter(reader: string): Disposable {
    const own = open.get(reader) ?? 0;
    if (own >= maxStreamsPerReader)
      throw new Problem('too-many-streams', `This key has ${maxStreamsPerReader} open streams. Close some first.`, {
        headers: retryLater,
      });
    if (total >= maxStreams)
      throw new Problem('unavailable', 'Too many streams are open. Try again in a few seconds.', {
        headers: retryLater,
      });
    open.set(reader, own + 1);
    total += 1;
    return {
      [Symbol.dispose]() {
        total -= 1;
        const left = (open.get(reader) ?? 1) - 1;
        if (left > 0) open.set(reader, left);
        else open.delete(reader);
      },
    };
  }

  return async (response, { jobId, after, reader, isAllowed }) => {
    // Its event would not come again.
    if (response.destroyed) return;
    using _place = enter(reader);
    const ending = new AbortController();
    response.once('close', () => ending.abort());
    response.writeHead(200, {
      'Content-Type': 'text/event-stream; charset=utf-8',
      'Cache-Control': 'no-store',
      // nginx would keep events back: https://nginx.org/en/docs/http/ngx_http_proxy_module.html#proxy_buffering
      'X-Accel-Buffering': 'no',
    });
    if (response.req.method === 'HEAD') return void response.end();
    // Not all at once after a restart.
    response.write(`retry: ${Math.round(timing.reconnectMs * (1 + Math.random()))}\n\n`);
    let checkedAt = performance.now();
    let checking: Promise<void> | undefined;
    const startCheck = async () => {
      if (await isAllowed()) checkedAt = performance.now();
      else ending.abort();
    };
    function check(): Promise<void> {
      checking ??= startCheck().finally(() => {
        checking = undefined;
      });
      return checking;
    }
    const heartbeat = setInterval(() => {
      response.write(':\n\n');
      // While the database does not answer, the stream stays open, and no event is sent.
      check().catch(() => {});
    }, timing.heartbeatEveryMs);
    try {
      for await (const events of feed.follow({ jobId, after, signal: ending.signal })) {
        // Fails closed: nothing is sent after an outage before access is known again.
        if (performance.now() - checkedAt > 1.5 * timing.heartbeatEveryMs) await check().catch(() => ending.abort());
        if (ending.signal.aborted) break;
        for (const event of events) {
          response.write(toFrame(event));
          if (response.writableLength > maxUnsentBytes) await drain(response, ending.signal);
        }
      }
    } finally {
      clearInterval(heartbeat);
      response.end();
    }
  };

  /** A reader that is too slow loses its connection, and resumes where it was. */
  async function drain(response: ServerResponse, signal: AbortSignal): Promise<void> {
    const late = AbortSignal.timeout(timing.slowReaderMs);
    await once(response, 'drain', { signal: AbortSignal.any([signal, late]) }).catch(() => response.destroy());
  }
}
