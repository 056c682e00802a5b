import { once } from 'node:events';
import type { ServerResponse } from 'node:http';
import { constants, createGzip } from 'node:zlib';
import type { Timing } from '../../timing.ts';
import { HttpProblem, retryLater } from '../problem.ts';

export interface Stream {
  /** The key or session that reads it. */
  reader: string;
  /** Called from time to time: the stream ends with the access. */
  isAllowed: () => Promise<boolean>;
  /** Whether each frame is compressed with what the frames before it said. Takes 144 KiB of memory. */
  isCompressed?: boolean;
  /** The frames to send; ends when `signal` aborts. */
  frames: (signal: AbortSignal) => AsyncIterable<string>;
}

const maxStreamsPerReader = 100;
const maxStreams = 1_000;
const maxUnsentBytes = 256 * 1024;

/** https://www.zlib.net/zlib_how.html: a smaller `memLevel` needs less memory than the default, for the same window. */
const compression = { flush: constants.Z_SYNC_FLUSH, memLevel: 5 };

/** Sends a stream of server-sent events. https://html.spec.whatwg.org/multipage/server-sent-events.html */
export type OpenStream = (response: ServerResponse, stream: Stream) => Promise<void>;

/** Opens a stream of this process. The promise ends with it. Throws the problems 429 and 503 when too many are open. */
export function createOpenStreams({ timing }: { timing: Timing['events'] }): OpenStream {
  const open = new Map<string, number>();
  let total = 0;

  function enter(reader: string): Disposable {
    const own = open.get(reader) ?? 0;
    if (own >= maxStreamsPerReader)
      throw new HttpProblem('too-many-streams', `This key has ${maxStreamsPerReader} open streams. Close some first.`, {
        headers: retryLater,
      });
    if (total >= maxStreams)
      throw new HttpProblem('unavailable', 'Too many streams are open. Try again in a few seconds.');
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

  return async (response, { reader, isAllowed, isCompressed = false, frames }) => {
    // The event `close` would not come again.
    if (response.destroyed) return;
    using _place = enter(reader);
    const ending = new AbortController();
    response.once('close', () => ending.abort());
    response.writeHead(200, {
      'Content-Type': 'text/event-stream; charset=utf-8',
      'Cache-Control': 'no-store',
      ...(isCompressed && { 'Content-Encoding': 'gzip' }),
      // nginx would keep events back: https://nginx.org/en/docs/http/ngx_http_proxy_module.html#proxy_buffering
      'X-Accel-Buffering': 'no',
    });
    if (response.req.method === 'HEAD') return void response.end();
    const gzip = isCompressed ? createGzip(compression).on('data', (bytes) => response.write(bytes)) : undefined;
    const write = (text: string) => (gzip ?? response).write(text);
    // Random, so that not all clients reconnect at once after a restart.
    write(`retry: ${Math.round(timing.reconnectMs * (1 + Math.random()))}\n\n`);
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
      write(':\n\n');
      // While the database does not answer, the stream stays open, and nothing is sent.
      check().catch(() => {});
    }, timing.heartbeatEveryMs);
    try {
      for await (const frame of frames(ending.signal)) {
        // Fails closed: nothing is sent after an outage before access is known again.
        if (performance.now() - checkedAt > 1.5 * timing.heartbeatEveryMs) await check().catch(() => ending.abort());
        if (ending.signal.aborted) break;
        write(frame);
        if (response.writableLength > maxUnsentBytes) await drain(response, ending.signal);
      }
    } finally {
      clearInterval(heartbeat);
      if (gzip) await once(gzip.end(), 'end');
      response.end();
    }
  };

  /** A reader that is too slow loses its connection, and resumes where it was. */
  async function drain(response: ServerResponse, signal: AbortSignal): Promise<void> {
    const late = AbortSignal.timeout(timing.slowReaderMs);
    await once(response, 'drain', { signal: AbortSignal.any([signal, late]) }).catch(() => response.destroy());
  }
}
