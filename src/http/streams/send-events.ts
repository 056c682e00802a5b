import type { ServerResponse } from 'node:http';
import type { EventFeed } from '../../job-feed/event-feed.ts';
import type { StoredEvent } from '../../store/tables/jobs/events.ts';
import type { OpenStream, Stream } from './open-streams.ts';

interface EventStream {
  reader: Stream['reader'];
  isAllowed: Stream['isAllowed'];
  jobId: string;
  after: number;
}

/** Sends the events of jobs as they happen. */
export type SendEvents = (response: ServerResponse, stream: EventStream) => Promise<void>;

/** `format`: the JSON of an event for readers. The promise ends with the stream. Throws the errors of `openStream`. */
export function createSendEvents(options: {
  feed: EventFeed;
  openStream: OpenStream;
  format: (event: StoredEvent) => object;
}): SendEvents {
  const { feed, openStream, format } = options;
  /** Readers of the same job share the text. */
  const frames = new WeakMap<StoredEvent, string>();

  function toFrame(event: StoredEvent): string {
    const frame =
      frames.get(event) ?? `id: ${event.seq}\nevent: ${event.type}\ndata: ${JSON.stringify(format(event))}\n\n`;
    frames.set(event, frame);
    return frame;
  }

  async function* list(position: { jobId: string; after: number; signal: AbortSignal }): AsyncGenerator<string> {
    for await (const events of feed.follow(position)) yield* events.map(toFrame);
  }

  return (response, { jobId, after, ...reading }) =>
    openStream(response, { ...reading, frames: (signal) => list({ jobId, after, signal }) });
}
