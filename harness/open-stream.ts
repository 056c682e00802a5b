import { EventSourceParserStream } from 'eventsource-parser/stream';
import { z } from 'zod';
import { eventually } from './eventually.ts';

const eventSchema = z.object({
  seq: z.number(),
  type: z.string(),
  at: z.iso.datetime(),
  data: z.record(z.string(), z.unknown()),
});
export type WireEvent = z.infer<typeof eventSchema>;

/** Follows the events of a job as a client does. Throws the status and the body of a refusal. */
export async function openStream(
  url: string,
  { key, headers = {} }: { key: string; headers?: Record<string, string> },
) {
  const closing = new AbortController();
  const response = await fetch(url, {
    headers: { authorization: `Bearer ${key}`, accept: 'text/event-stream', ...headers },
    signal: closing.signal,
  });
  if (response.status !== 200 || response.body === null) throw new Error(`${response.status} ${await response.text()}`);
  const events: WireEvent[] = [];
  /** Of `performance.now()`. */
  const receivedAt: number[] = [];
  let comments = 0;
  const parser = new EventSourceParserStream({ onComment: () => void comments++ });
  const frames = response.body.pipeThrough(new TextDecoderStream()).pipeThrough(parser);
  const ended = (async () => {
    for await (const { id, event, data } of frames) {
      const told = eventSchema.parse(JSON.parse(data));
      if (id !== String(told.seq) || event !== told.type) throw new Error(`frame ${id} ${event} holds ${data}`);
      events.push(told);
      receivedAt.push(performance.now());
    }
  })();
  // A cut connection, or `close`.
  ended.catch(() => {});
  return {
    events,
    receivedAt,
    headers: response.headers,
    countComments: () => comments,
    /** Rejects if the connection was cut. */
    ended,
    until: (isReached: (events: readonly WireEvent[]) => boolean, what = 'events') =>
      eventually(() => isReached(events) || undefined, { what, everyMs: 5 }),
    close: () => closing.abort(),
    [Symbol.dispose]: () => closing.abort(),
  };
}
