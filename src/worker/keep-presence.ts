import type { Log } from '../log.ts';
import { createSerialTask } from '../serial-task.ts';
import { withDeadline } from '../store/postgres/availability.ts';
import type { Database } from '../store/postgres/database.ts';
import { notePresence, type Presence, removePresence } from '../store/schedule/presence.ts';
import type { Timing } from '../timing.ts';

/** Shows this worker to others until `end`, or until the process dies. `end` never throws. */
export function keepPresence(options: { database: Database; presence: Presence; timing: Timing; log: Log }): {
  end(): Promise<void>;
} {
  const { database, presence, timing, log } = options;
  const ending = new AbortController();
  // The code that stops work in an outage logs it.
  const onError = (error: unknown) => log.debug({ err: error }, 'could not show this worker to others');
  const note = createSerialTask({
    work: () => withDeadline(database, {}, (connection) => notePresence(connection, presence)),
    onError,
    signal: ending.signal,
  });
  const timer = setInterval(note.request, timing.claims.presentEveryMs);
  note.request();
  return {
    async end() {
      ending.abort();
      clearInterval(timer);
      await withDeadline(database, {}, (connection) => removePresence(connection, presence.name)).catch(onError);
    },
  };
}
