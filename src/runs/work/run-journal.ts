import { z } from 'zod';
import type { Journal } from '../../agent/journal.ts';
import type { ModelAnswer, Turn } from '../../agent/model/model.ts';
import { maxImages } from '../../context/images/image.ts';
import type { TakeStep } from '../../steps.ts';
import { retryUntilAvailable } from '../../store/postgres/availability.ts';
import { type Database, sendTogether, type Tx } from '../../store/postgres/database.ts';
import { inLease, type Lease } from '../../store/schedule/lease.ts';
import {
  dropImagesBeyond,
  listChanges,
  listImageFacts,
  listImagesOfRun,
  refuseImages,
} from '../../store/tables/jobs/attachments.ts';
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
import { countImages } from '../../text/list-images.ts';
import { writeMessage } from './briefing.ts';
import type { TurnEvents } from './turn-events.ts';
import { writeChanges } from './write-changes.ts';

/**
 * Each step is one transaction of the lease. Opening a turn takes the waiting messages; saving results stores the write set with them. An
 * answer is paid for, so saving it retries until the database answers or `grace` aborts.
 */
export async function createRunJournal(options: {
  database: Database;
  lease: Lease;
  run: Run;
  /** The current write set; null is a deleted file. */
  writes: () => ReadonlyMap<string, Uint8Array | null>;
  events: TurnEvents;
  grace?: AbortSignal;
  takeStep: TakeStep;
  /** Runs before the messages of a turn are taken. */
  beforeTurn?: (turnIndex: number) => Promise<void>;
}): Promise<Journal> {
  const { database, lease, run, writes, events, takeStep } = options;
  const { grace = new AbortController().signal, beforeTurn = async () => {} } = options;
  const runId = run.run_id;
  const readStopwatch = createStopwatch();
  const turns = (await listTurns(database, runId)).map(
    (turn): Turn => turnSchema.parse({ ...turn, compactedFor: turn.compacted_for }),
  );
  let lastAnswer: { toolCalls: ModelAnswer['toolCalls'] } | null | undefined = turns.at(-1)?.answer;
  const isNew = turns.length === 0;
  let storedWrites: ReadonlyMap<string, Uint8Array | null> = isNew ? new Map() : await readWrites(database, runId);
  const inStep = <T>(step: string, work: (tx: Tx) => Promise<T>) =>
    takeStep({ step, jobId: lease.jobId }, () => inLease(database, lease, work));
  for (const { turn_index: turnIndex, ...image } of isNew ? [] : await listImagesOfRun(database, runId)) {
    const turn = turns[turnIndex ?? -1];
    if (turn) turn.images = [...(turn.images ?? []), ...toTurnImage(image)];
  }
  /** The images of these messages, the first of the run only. */
  async function takeImages(tx: Tx, messageIds: readonly string[]) {
    const facts = messageIds.length > 0 ? await listImageFacts(tx, messageIds) : [];
    if (facts.length === 0) return { facts, shown: [] };
    const problem = `a run shows at most ${maxImagesOfRun} to the model`;
    await dropImagesBeyond(tx, { runId, most: maxImagesOfRun, problem });
    const ofRun = await listImagesOfRun(tx, runId);
    const shown = ofRun.filter(({ message_id: messageId }) => messageIds.includes(messageId)).flatMap(toTurnImage);
    return { facts: await listImageFacts(tx, messageIds), shown };
  }

  return {
    turns,
    async openTurn(turnIndex, ours) {
      await beforeTurn(turnIndex);
      return inStep('open turn', async (tx) => {
        // Messages after a stop are for the next run.
        const [messages] = await sendTogether(tx, (tx) => [
          takeMessages(tx, { jobId: lease.jobId, runId, turnIndex }),
          assertNoStop(tx, lease.jobId),
        ]);
        const messageIds = messages.map(({ message_id: messageId }) => messageId);
        const [changes, images] = await sendTogether(tx, (tx) => [
          listChanges(tx, messageIds),
          takeImages(tx, messageIds),
        ]);
        for (const change of changes) if (change.kind === 'unread') await addRunWarning(tx, runId, change.problem);
        const written = messages.map((message) => {
          const ofMessage = images.facts.filter(({ message_id: messageId }) => messageId === message.message_id);
          return writeMessage(message, countImages(message.prompt, ofMessage));
        });
        const inputs = [...ours, ...written, ...writeChanges(changes)];
        await sendTogether(tx, (tx) => [
          insertTurn(tx, { runId, turnIndex, inputs }),
          recordEvents(tx, lease.jobId, events.takeSentBack()),
          countRunActivity(tx, runId, { activeMs: readStopwatch(), isNoticeTold: true }),
        ]);
        return { inputs, images: images.shown };
      });
    },
    async saveAnswer(turnIndex, answer) {
      const activeMs = readStopwatch();
      const save = async (tx: Tx) => {
        // An earlier try may have committed without its answer arriving.
        if (!(await storeAnswer(tx, { runId, turnIndex, answer }))) return;
        await sendTogether(tx, (tx) => [
          countRunActivity(tx, runId, { activeMs, answer: answer.usage }),
          recordEvents(tx, lease.jobId, [events.describeAnswer(turnIndex, answer)]),
        ]);
        const { imagesRefused: words } = answer;
        if (words !== undefined) await refuseImages(tx, { runId, problem: `the model server refused them: ${words}` });
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
        await sendTogether(tx, (tx) => [
          storeResults(tx, { runId, turnIndex, results }),
          storeWrites(tx, runId, { stored: storedWrites, writes: written }),
          recordEvents(tx, lease.jobId, [...calls, ...files, ...events.takeSentBack()]),
          countRunActivity(tx, runId, { activeMs: readStopwatch() }),
        ]);
      });
      storedWrites = written;
    },
  };
}

/** Each request of the run carries them. */
const maxImagesOfRun = 2 * maxImages;

const toTurnImage = ({ media_type: mediaType, content }: { media_type: string | null; content: Buffer | null }) =>
  mediaType !== null && content !== null ? [{ mediaType, data: content.toString('base64') }] : [];

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
