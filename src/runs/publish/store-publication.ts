import { sendTogether, type Tx } from '../../store/postgres/database.ts';
import { inLease } from '../../store/schedule/lease.ts';
import { recordEvents } from '../../store/tables/jobs/events.ts';
import { listUnansweredMessages, releaseMessages } from '../../store/tables/jobs/messages.ts';
import { addRunWarning, assertNoStop, type Run, updateRun } from '../../store/tables/jobs/runs.ts';
import type { Publication } from '../publication.ts';
import type { RunContext } from '../run-context.ts';
import { toProblemEvents } from '../work/turn-events.ts';

/** Also releases messages that the model never answered, and tells the remaining problems. Throws `StopRequested`. */
export async function freezePublication(
  { parts: { database }, lease, run }: RunContext,
  publication: Publication,
): Promise<void> {
  await inLease(database, lease, async (tx) => {
    const [unanswered] = await sendTogether(tx, (tx) => [
      listUnansweredMessages(tx, run.run_id),
      assertNoStop(tx, lease.jobId),
    ]);
    const left = publication.checks?.problems ?? [];
    await sendTogether(tx, (tx) => [
      releaseMessages(tx, unanswered),
      storePublication(tx, run, publication),
      recordEvents(tx, lease.jobId, toProblemEvents(run.run_id, left, { sentBack: false })),
    ]);
  });
}

/** Replaces what was frozen, for the same change. */
export async function refreezePublication(
  { parts: { database }, lease, run }: RunContext,
  publication: Publication,
): Promise<void> {
  await inLease(database, lease, (tx) => storePublication(tx, run, publication));
}

/** Also adds the warnings to the run. */
async function storePublication(tx: Tx, { run_id: runId }: Run, publication: Publication): Promise<void> {
  await updateRun(tx, runId, { phase: 'publishing', publication: JSON.stringify(publication) });
  const { warnings = [], unseen } = publication;
  for (const warning of unseen === null ? warnings : [...warnings, unseen]) await addRunWarning(tx, runId, warning);
}
