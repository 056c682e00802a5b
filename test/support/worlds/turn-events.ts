import { createTurnEvents, type TurnEvents } from '../../../src/runs/work/turn-events.ts';
import { createRedactor } from '../../../src/text/redact.ts';
import { runInline } from '../../../src/threads/threads.ts';

/** Of a run whose files are all new. */
export const turnEventsOf = (runId: string): TurnEvents =>
  createTurnEvents({
    runId,
    redactor: createRedactor(),
    workspace: { readOriginal: () => undefined },
    runTask: runInline,
  });
