import { sql } from 'kysely';
import { z } from 'zod';
import type { Database } from '../src/store/postgres/database.ts';
import type { JobStatus } from '../src/store/tables/columns.ts';
import { listEvents } from '../src/store/tables/jobs/events.ts';
import { listMessages } from '../src/store/tables/jobs/messages.ts';
import { listRuns } from '../src/store/tables/jobs/runs.ts';

/** The rows of a job, and its events. */
export interface Story {
  status: JobStatus;
  nextEvent: number;
  /** All oldest first. */
  messages: readonly { messageId: string; runId: string | null }[];
  runs: readonly { runId: string; code: string | null; isEnded: boolean }[];
  turns: readonly { runId: string; turn: number; hasResults: boolean }[];
  /** What runs did to the pull request: at most one thing each. */
  pullRequests: readonly { runId: string; type: string }[];
  events: readonly { seq: number; type: string; data: unknown }[];
}

/** Promise 33 for a job of this version: the mistakes in its events, compared with the tables. */
export const judgeEvents = async (database: Database, jobId: string): Promise<string[]> =>
  judgeStory(await readStory(database, jobId));

export function judgeStory({ status, nextEvent, messages, runs, turns, pullRequests, events }: Story): string[] {
  const told = events.map(({ type, data }) => ({ type, data: dataShape.parse(data) }));
  const toldOf = (type: string) => told.filter((event) => event.type === type).map(({ data }) => data);
  const wrong: string[] = [];
  const expectSame = (what: string, found: unknown, expected: unknown) => {
    const [foundText, expectedText] = [JSON.stringify(found), JSON.stringify(expected)];
    if (foundText !== expectedText) wrong.push(`${what}: ${foundText} instead of ${expectedText}`);
  };

  const seqs = events.map(({ seq }) => seq);
  const counted = seqs.map((_seq, index) => index + 1);
  expectSame('seq', seqs, counted);
  expectSame('the next seq', nextEvent, seqs.length + 1);
  const accepted = toldOf('message.accepted').map(({ messageId }) => messageId);
  const received = messages.map(({ messageId }) => messageId);
  expectSame('accepted messages', accepted, received);
  const started = toldOf('run.started').map(({ runId }) => runId);
  const begun = runs.map(({ runId }) => runId);
  expectSame('started runs', started, begun);
  const ended = toldOf('run.ended').map(({ runId, code }) => [runId, code]);
  const over = runs.filter(({ isEnded }) => isEnded).map(({ runId, code }) => [runId, code]);
  expectSame('ended runs', ended, over);
  const answered = toldOf('turn.answered').map(({ runId, turn }) => [runId, turn]);
  const stored = turns.map(({ runId, turn }) => [runId, turn]);
  expectSame('answered turns', answered, stored);
  const published = told.filter(({ type }) => type.startsWith('pull_request.'));
  expectSame(
    'pull requests',
    published.map(({ type, data }) => [data.runId, type]),
    pullRequests.map(({ runId, type }) => [runId, type]),
  );
  for (const { runId, turn, tools = [] } of toldOf('turn.answered')) {
    const isSame = (other: { runId?: string | undefined; turn?: number | undefined }) =>
      other.runId === runId && other.turn === turn;
    const finished = toldOf('tool.finished').filter(isSame);
    expectSame(
      `tools of turn ${turn} of ${runId}`,
      finished.map(({ name }) => name),
      turns.some((known) => isSame(known) && known.hasResults) ? tools : [],
    );
  }
  const last = told.reduce((before, { type }) => statusAfter[type] ?? before, undefined as JobStatus | undefined);
  expectSame('the status', last, status);
  return [...wrong, ...findMisplaced(told), ...findUntoldEnds(told, messages, begun)];
}

const dataShape = z.looseObject({
  runId: z.string().optional(),
  messageId: z.string().optional(),
  turn: z.number().optional(),
  name: z.string().optional(),
  tools: z.array(z.string()).optional(),
  outcome: z.string().optional(),
  code: z.string().optional(),
});

interface Told {
  type: string;
  data: z.infer<typeof dataShape>;
}

async function readStory(database: Database, jobId: string): Promise<Story> {
  const snapshot = database.transaction().setIsolationLevel('repeatable read').setAccessMode('read only');
  return snapshot.execute(async (tx) => {
    const job = await tx.selectFrom('jobs').selectAll().where('job_id', '=', jobId).executeTakeFirstOrThrow();
    const runs = await listRuns(tx, jobId);
    return {
      status: job.status,
      nextEvent: job.next_event,
      messages: (await listMessages(tx, jobId)).map(({ message_id: messageId, run_id: runId }) => ({
        messageId,
        runId,
      })),
      runs: runs.map(({ run_id: runId, code, phase }) => ({ runId, code, isEnded: phase === 'ended' })),
      turns: await tx
        .selectFrom('turns')
        .innerJoin('runs', 'runs.run_id', 'turns.run_id')
        .select(['runs.run_id as runId', 'turn_index as turn', sql<boolean>`results is not null`.as('hasResults')])
        .where('job_id', '=', jobId)
        .where('answer', 'is not', null)
        .orderBy('number')
        .orderBy('turn_index')
        .execute(),
      pullRequests: await tx
        .selectFrom('effects')
        .innerJoin('runs', 'runs.run_id', 'effects.run_id')
        .where('effects.job_id', '=', jobId)
        .where('key', 'like', '%:pull-request')
        .where('state', '=', 'done')
        .orderBy('number')
        .select([
          'runs.run_id as runId',
          sql<string>`case when (response ->> 'isNew')::boolean then 'pull_request.opened' else 'pull_request.updated' end`.as(
            'type',
          ),
        ])
        .execute(),
      events: await listEvents(tx, { jobId, after: 0, limit: 100_000 }),
    };
  });
}

const statusAfter: Partial<Record<string, JobStatus>> = {
  'job.created': 'active',
  'message.accepted': 'active',
  'job.completed': 'completed',
  'job.failed': 'failed',
  'job.archived': 'archived',
  'job.unarchived': 'completed',
};

/** The events of a run are between its start and its end, and the new state of the job follows that end at once. */
function findMisplaced(told: readonly Told[]): string[] {
  let status: JobStatus | undefined;
  let open: string | undefined;
  let answered: number | undefined;
  return told.flatMap((event, index) => {
    const { type, data } = event;
    const faults = [
      ...((type === 'job.created') !== (index === 0) ? ['is not where the story begins'] : []),
      ...((type === 'job.unarchived') !== (status === 'archived') ? [`came while the job was ${status}`] : []),
      ...findMisplacedInRun(event, { open, answered, before: told[index - 1] }),
    ];
    status = statusAfter[type] ?? status;
    if (type === 'run.started') [open, answered] = [data.runId, undefined];
    if (type === 'turn.answered') answered = data.turn;
    if (type === 'run.ended') open = undefined;
    return faults.map((fault) => `${type} at ${index + 1} ${fault}`);
  });
}

function findMisplacedInRun(
  { type, data }: Told,
  { open, answered, before }: { open: string | undefined; answered: number | undefined; before: Told | undefined },
): string[] {
  switch (type) {
    case 'job.created':
    case 'job.unarchived':
    case 'message.accepted':
      return [];
    case 'run.started':
    case 'job.archived':
      return open === undefined ? [] : ['came before the end of a run'];
    case 'job.completed':
    case 'job.failed': {
      const isEnd = before?.type === 'run.ended' && `job.${before.data.outcome}` === type;
      return isEnd && before.data.runId === data.runId && (data.code ?? before.data.code) === before.data.code
        ? []
        : ['does not follow such an end of its run'];
    }
    default: {
      const isLate = type === 'tool.finished' && data.turn !== answered;
      return [
        ...(data.runId === open ? [] : ['is outside of its run']),
        ...(isLate ? ['does not follow the answer of its turn'] : []),
      ];
    }
  }
}

/** After a run the job stays active only if a message waits, which a later run takes. */
function findUntoldEnds(told: readonly Told[], messages: Story['messages'], runIds: readonly string[]): string[] {
  return told.flatMap(({ type, data }, index) => {
    if (type !== 'run.ended' || told[index + 1]?.type.startsWith('job.')) return [];
    const earlier = told.slice(0, index).map((event) => event.data.messageId);
    const begun = runIds.slice(0, runIds.indexOf(data.runId ?? '') + 1);
    const isWaiting = messages.some(
      ({ messageId, runId }) => earlier.includes(messageId) && (runId === null || !begun.includes(runId)),
    );
    return isWaiting ? [] : [`what became of the job after run.ended at ${index + 1} is not told`];
  });
}
