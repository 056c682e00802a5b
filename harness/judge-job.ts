import type { Database } from '../src/store/postgres/database.ts';
import { listEffects } from '../src/store/tables/jobs/effects.ts';
import { listMessages, type Message } from '../src/store/tables/jobs/messages.ts';
import { listRuns, type Run } from '../src/store/tables/jobs/runs.ts';
import { judgeEvents } from './judge-events.ts';

/** A promise that a job does not keep. */
export interface Fault {
  promise: number;
  text: string;
}

/** A comment of the App on a pull request. */
export interface Said {
  body: string;
  /** The first comment of its review thread; null: it is in the conversation. */
  thread: number | null;
}

/**
 * What must hold of a job once nothing is left to happen, whatever came before: its events tell what happened; each message is answered, or
 * dropped for a reason, in the order in which they were accepted; who asked on GitHub finds the answer there. `said`: what the App wrote on
 * the job's pull request.
 */
export async function judgeJob(database: Database, jobId: string, said: readonly Said[]): Promise<Fault[]> {
  const messages = await listMessages(database, jobId);
  const runs = await listRuns(database, jobId);
  const effects = await listEffects(database, jobId);
  // What a run has begun and was stopped at stays so; a promised answer belongs to no run.
  const ungiven = effects.filter(({ state, epoch }) => state !== 'done' && epoch === 0);
  const texts = [
    ...messages
      .filter(({ state, reason }) => state !== 'answered' && !(state === 'dropped' && reason !== null))
      .map(({ message_id, state }) => `${message_id} is ${state}`),
    ...findMisplaced(messages, runs),
    ...ungiven.map(({ key, state }) => `the promised answer ${key} is ${state}`),
    ...messages.flatMap((message) => findMissingAnswers(message, messages, said)),
    ...findUntruths(messages, said),
  ];
  return [
    ...(await judgeEvents(database, jobId)).map((text) => ({ promise: 33, text })),
    ...texts.map((text) => ({ promise: 15, text })),
  ];
}

/** What was dropped before it was begun has no place: a stop leaves what was written after it, which may have come before that. */
function findMisplaced(messages: readonly Message[], runs: readonly Run[]): string[] {
  const numbers = new Map(runs.map(({ run_id: runId, number }) => [runId, number]));
  const places = messages.flatMap(({ run_id: runId, turn_index: turn }) =>
    runId === null || turn === null ? [] : [(numbers.get(runId) ?? 0) * 1000 + turn],
  );
  const isInOrder = places.every((place, index) => place >= (places[index - 1] ?? 0));
  return isInOrder ? [] : [`the messages were taken in another order than they came: ${places.join(', ')}`];
}

function findMissingAnswers(message: Message, messages: readonly Message[], said: readonly Said[]): string[] {
  const { context, source_key: key, state, run_id: runId, seq } = message;
  if (!context?.person) return [];
  // What one stop dropped behind a run that publishes is told apart from what that run did, and named after the last of it.
  const stopped = messages
    .filter((each) => state === 'dropped' && each.run_id === runId && each.state === 'dropped' && each.seq >= seq)
    .map(({ message_id: messageId }) => `${runId}:stopped:${messageId}`);
  const isSaid = (what: string) =>
    [runId, ...stopped].some((name) => said.some(({ body }) => body.includes(`<!-- pagewright:${name}:${what} -->`)));
  return [
    ...(isSaid('comment') ? [] : [`${key} is not answered on GitHub`]),
    ...(context.review?.threads ?? [])
      .filter(({ rootId }) => !isSaid(`reply:${rootId}`))
      .map(({ rootId }) => `${key} is not answered in the thread ${rootId}`),
  ];
}

/** Nothing that was dropped is said to be done. */
function findUntruths(messages: readonly Message[], said: readonly Said[]): string[] {
  const threadsOf = (wanted: Message['state']) =>
    new Set(
      messages
        .filter(({ state }) => state === wanted)
        .flatMap(({ context }) => context?.review?.threads.map(({ rootId }) => rootId) ?? []),
    );
  const dropped = threadsOf('dropped').difference(threadsOf('answered'));
  return said
    .filter(({ body, thread }) => thread !== null && dropped.has(thread) && body.startsWith('Taken up'))
    .map(({ thread }) => `the thread ${thread} was dropped and is said to be taken up`);
}
