import { z } from 'zod';
import type { Journal } from '../../agent/journal.ts';
import type { ModelAnswer, Turn } from '../../agent/model/model.ts';
import type { TakeStep } from '../../steps.ts';
import type { Database, Tx } from '../../store/postgres/database.ts';
import { retryUntilAvailable } from '../../store/postgres/retry-until-available.ts';
import { inLease, type Lease } from '../../store/schedule/lease.ts';
import { listChanges } from '../../store/tables/jobs/changes.ts';
import { recordEvents } from '../../store/tables/jobs/events.ts';
import { takeMessages } from '../../store/tables/jobs/messages.ts';
import { addRunWarning, assertNoStop, countRunActivity, type Run } from '../../store/tables/jobs/runs.ts';
import {
  insertTurn,
  listTurns,
  readWrites,
  storeAnswer,
  storeCompacted,
  storeResults,
  storeWrites,
} from '../../store/tables/jobs/turns.ts';
import { writeMessage } from './briefing.ts';
import type { TurnEvents } from './turn-events.ts';
import { writeChanges } from './write-changes.ts';

/**
 * Each step is one transaction of the lease. Opening a turn takes the waiting messages; saving results stores the write set with them. An
 * answer is paid for, so saving it retries until the database answers or `grace` aborts.
 */
export async function createRunJournal({
  database,
  lease,
  run,
  writes,
  events,
  grace = new AbortController().signal,
  takeStep,
  beforeTurn = async () => {},
}: {
  database: Database;
  lease: Lease;
  run: Run;
  /** The current write set; null is a deleted file. */
  writes: () => ReadonlyMap<string, Uint8Array | null>;
  events: TurnEvents;
  grace?: AbortSignal;
  takeStep: TakeStep;
  /** Runs before the messages of a turn are taken. */
  beforeTurn?: () => Promise<void>;
}): Promise<Journal> {
  const runId = run.run_id;
  const readStopwatch = createStopwatch();
  const turns = (await listTurns(database, runId)).map((turn) =>
    turnSchema.parse({ ...turn, compactedFor: turn.compacted_for }),
  );
  let lastAnswer: { toolCalls: ModelAnswer['toolCalls'] } | null | undefined = turns.at(-1)?.answer;
  let storedWrites: ReadonlyMap<string, Uint8Array | null> = await readWrites(database, runId);
  const inStep = <T>(step: string, work: (tx: Tx) => Promise<T>) =>
    takeStep({ step, jobId: lease.jobId }, () => inLease(database, lease, work));
  return {
    turns,
    async openTurn(turnIndex, ours) {
      await beforeTurn();
      return inStep('open turn', async (tx) => {
        // Messages after a stop are for the next run.
        await assertNoStop(tx, lease.jobId);
        const messages = await takeMessages(tx, { jobId: lease.jobId, runId, turnIndex });
        const changes = await listChanges(
          tx,
          messages.map(({ message_id: messageId }) => messageId),
        );
        for (const change of changes) if (change.kind === 'unread') await addRunWarning(tx, runId, change.problem);
        const inputs = [...ours, ...messages.map(writeMessage), ...writeChanges(changes)];
        await insertTurn(tx, { runId, turnIndex, inputs });
        await recordEvents(tx, lease.jobId, events.takeSentBack());
        await countRunActivity(tx, runId, { activeMs: readStopwatch(), isNoticeTold: true });
        return inputs;
      });
    },
    async saveAnswer(turnIndex, answer) {
      const activeMs = readStopwatch();
      const save = async (tx: Tx) => {
        // An earlier try may have committed without its answer arriving.
        if (!(await storeAnswer(tx, { runId, turnIndex, answer }))) return;
        await countRunActivity(tx, runId, { activeMs, answer: answer.usage });
        await recordEvents(tx, lease.jobId, [events.describeAnswer(turnIndex, answer)]);
      };
      lastAnswer = answer;
      await takeStep({ step: 'store answer', jobId: lease.jobId }, () =>
        retryUntilAvailable(database, { signal: grace }, (connection) => inLease(connection, lease, save)),
      );
    },
    compact: (turns) =>
      inStep('compact', async (tx) => {
        await storeCompacted(tx, { runId, turns: [...turns].flatMap(toCompacted) });
        await countRunActivity(tx, runId, { activeMs: readStopwatch() });
      }),
    async saveResults(turnIndex, results) {
      const written = writes();
      const calls = lastAnswer ? events.describeResults(turnIndex, lastAnswer, results) : [];
      const files = await events.describeFiles(storedWrites, written, grace);
      await inStep('store results', async (tx) => {
        await storeResults(tx, { runId, turnIndex, results });
        await storeWrites(tx, runId, { stored: storedWrites, writes: written });
        await recordEvents(tx, lease.jobId, [...calls, ...files, ...events.takeSentBack()]);
        await countRunActivity(tx, runId, { activeMs: readStopwatch() });
      });
      storedWrites = written;
    },
  };
}

const turnSchema = z.object({
  inputs: z.array(z.string()),
  answer: z
    .object({
      text: z.string(),
      toolCalls: z.array(z.object({ callId: z.string(), name: z.string(), arguments: z.string() })),
      items: z.array(z.unknown()),
      usage: z.object({ tokensIn: z.number(), tokensOut: z.number(), tokensCached: z.number() }),
      stop: z.enum(['end', 'length']),
    })
    .nullable(),
  results: z.array(z.object({ callId: z.string(), output: z.string(), isError: z.boolean() })).nullable(),
  compactedFor: z.number().nullable(),
}) satisfies z.ZodType<Turn>;

const toCompacted = ([turnIndex, { answer, results, compactedFor }]: [number, Turn]) =>
  answer && results && compactedFor != null ? [{ turnIndex, answer, results, compactedFor }] : [];

/** Returns milliseconds since the last call. */
function createStopwatch() {
  let last = performance.now();
  return () => {
    const now = performance.now();
    const passed = Math.round(now - last);
    last = now;
    return passed;
  };
}
