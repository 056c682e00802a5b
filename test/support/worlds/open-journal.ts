import type { Journal } from '../../../src/agent/journal.ts';
import { createRunJournal } from '../../../src/runs/work/run-journal.ts';
import { createTurnEvents } from '../../../src/runs/work/turn-events.ts';
import { takeStepDirectly } from '../../../src/steps.ts';
import type { Database } from '../../../src/store/postgres/database.ts';
import type { Lease } from '../../../src/store/schedule/lease.ts';
import type { Run } from '../../../src/store/tables/jobs/runs.ts';
import { createRedactor } from '../../../src/text/redact.ts';
import { runInline } from '../../../src/threads/threads.ts';

/** The journal of a run, by default of one that has changed no file. */
export const openJournal = (
  database: Database,
  { lease, run }: { lease: Lease; run: Run },
  more: Partial<Pick<Parameters<typeof createRunJournal>[0], 'writes' | 'grace'>> = {},
): Promise<Journal> =>
  createRunJournal({
    database,
    lease,
    run,
    events: createTurnEvents({
      runId: run.run_id,
      redactor: createRedactor(),
      workspace: { readOriginal: () => undefined },
      runTask: runInline,
    }),
    writes: () => new Map(),
    takeStep: takeStepDirectly,
    ...more,
  });
