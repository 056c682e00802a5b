import type { EventFeed } from '../../../../job-feed/event-feed.ts';
import { pause } from '../../../../pause.ts';
import type { StoredEvent } from '../../../../store/tables/jobs/events.ts';
import { renderLiveParts, type ShownJob } from '../page/job-page.ts';
import { createSender } from './send-item.ts';

/** A page needs one of the changes of a moment. */
const paceMs = 200;

/** After these, the change on GitHub may be another one: the page reads all of it again. */
const isOfWholePage = ({ type }: StoredEvent) => type.startsWith('pull_request.') || type.startsWith('job.');

/**
 * Yields what changed on the page of a job as HTML: the elements with `data-live`, without the items that the page has already. Of
 * events that concern all of the page, it yields only the names. The id of a frame is the number of the newest event that it shows, so a reader that resumes misses nothing.
 */
export async function* followJob(options: {
  feed: EventFeed;
  jobId: string;
  after: number;
  /** The page, without the change on GitHub. */
  read: () => Promise<ShownJob>;
  signal: AbortSignal;
}): AsyncGenerator<string> {
  const { feed, jobId, after, read, signal } = options;
  let send = createSender();
  async function render() {
    const shown = await read();
    const { head, story, side } = renderLiveParts(shown, { send, notice: undefined });
    return { seq: shown.story.job.next_event - 1, text: head.html + story.html + side.html };
  }
  // The page has this already, unless more has happened since.
  const first = await render();
  let seen = first.seq;
  if (first.seq > after) yield formatFrame('changed', first);
  for await (const events of feed.follow({ jobId, after, signal })) {
    const seq = events.at(-1)?.seq ?? seen;
    const important = events.filter(isOfWholePage);
    for (const { type, seq } of important) yield formatFrame(type, { seq, text: '' });
    if (important.length > 0) send = createSender();
    else if (seq > seen) {
      const fresh = await render();
      seen = fresh.seq;
      yield formatFrame('changed', fresh);
    }
    await pause(paceMs, signal).catch(() => {});
  }
}

const formatFrame = (type: string, { seq, text }: { seq: number; text: string }) =>
  `id: ${seq}\nevent: ${type}\ndata: ${JSON.stringify(text)}\n\n`;
