import { sql } from 'kysely';
import type { Journal } from '../agent/journal.ts';
import type { ModelAnswer, Turn } from '../agent/model.ts';
import type { Database } from '../store/database.ts';
import { inLease, type Lease } from '../store/lease.ts';
import { listMessagesOfTurn, takeMessages } from '../store/messages.ts';
import { type Run, updateRun } from '../store/runs.ts';
import { insertTurn, listTurns, storeAnswer, storeResults, storeWrites } from '../store/turns.ts';
import { writeMessage } from './prompt.ts';

/**
 * The agent's journal in PostgreSQL: each step is one transaction of the lease. Opening a turn takes the messages that wait;
 * saving results stores the write set with them, so that whoever takes the run over goes on where it stopped.
 */
export async function createRunJournal({
  database,
  lease,
  run,
  writes,
}: {
  database: Database;
  lease: Lease;
  run: Run;
  /** The write set as it stands now; null is a deleted file. */
  writes: () => ReadonlyMap<string, Uint8Array | null>;
}): Promise<Journal> {
  const runId = run.run_id;
  const countActivity = createStopwatch();
  const stored = await listTurns(database, runId);
  return {
    turns: stored.map(({ inputs, answer, results }) => ({ inputs, answer, results }) as Turn),
    openTurn: (turnIndex, ours) =>
      inLease(database, lease, async (tx) => {
        await takeMessages(tx, { jobId: lease.jobId, runId, turnIndex });
        const messages = await listMessagesOfTurn(tx, runId, turnIndex);
        const inputs = [...ours, ...messages.map(writeMessage)];
        await insertTurn(tx, { runId, turnIndex, inputs });
        await updateRun(tx, runId, { notice: null, ...activity() });
        return inputs;
      }),
    saveAnswer: (turnIndex, answer) =>
      inLease(database, lease, async (tx) => {
        await storeAnswer(tx, { runId, turnIndex, answer });
        // A new answer is progress: only takeovers without one count towards giving the run up.
        await updateRun(tx, runId, { takeovers: 0, ...activity(), ...tokens(answer) });
      }),
    saveResults: (turnIndex, results) =>
      inLease(database, lease, async (tx) => {
        await storeResults(tx, { runId, turnIndex, results });
        await storeWrites(tx, runId, writes());
        await updateRun(tx, runId, activity());
      }),
  };

  function activity() {
    return { active_ms: sql<number>`active_ms + ${countActivity()}` };
  }
}

const tokens = ({ usage }: ModelAnswer) => ({
  tokens_in: sql<number>`tokens_in + ${usage.tokensIn}`,
  tokens_out: sql<number>`tokens_out + ${usage.tokensOut}`,
});

/** Milliseconds since the last call. */
function createStopwatch() {
  let last = performance.now();
  return () => {
    const now = performance.now();
    const passed = Math.round(now - last);
    last = now;
    return passed;
  };
}
