import type { Database } from '../src/store/postgres/database.ts';
import type { JobStatus } from '../src/store/tables/columns.ts';
import { listEvents } from '../src/store/tables/jobs/events.ts';
import { listMessages } from '../src/store/tables/jobs/messages.ts';
import { listRuns } from '../src/store/tables/jobs/runs.ts';

/** Promise 33 for a job of this version: what its events tell wrongly, compared with the tables. Empty: nothing. */
export async function judgeEvents(database: Database, jobId: string): Promise<string[]> {
  const { job, runs, messages, answers, events } = await readStory(database, jobId);
  const told = events.map(({ type, data }) => ({ type, data: data as Record<string, unknown> }));
  const idsOf = (type: string, member: string) =>
    told.filter((event) => event.type === type).map(({ data }) => String(data[member]));
  const wrong: string[] = [];
  const expectSame = (what: string, found: unknown, expected: unknown) => {
    const [foundText, expectedText] = [JSON.stringify(found), JSON.stringify(expected)];
    if (foundText !== expectedText) wrong.push(`${what}: ${foundText} instead of ${expectedText}`);
  };

  const seqs = events.map(({ seq }) => seq);
  expectSame(
    'seq',
    seqs,
    seqs.map((_seq, index) => index + 1),
  );
  expectSame('the next seq', seqs.length + 1, job.next_event);
  expectSame('the first event', told[0]?.type, 'job.created');
  expectSame(
    'accepted messages',
    idsOf('message.accepted', 'messageId'),
    messages.map((message) => message.message_id),
  );
  expectSame(
    'started runs',
    idsOf('run.started', 'runId'),
    runs.map((run) => run.run_id),
  );
  const ended = runs.filter(({ phase }) => phase === 'ended');
  expectSame(
    'ended runs',
    idsOf('run.ended', 'runId'),
    ended.map((run) => run.run_id),
  );
  expectSame(
    'how runs ended',
    idsOf('run.ended', 'code'),
    ended.map(({ code }) => code),
  );
  expectSame('answered turns', idsOf('turn.answered', 'runId').length, answers);
  expectSame('the status', told.reduce(follow, 'active'), job.status);
  return [...wrong, ...findMisplaced(told)];
}

async function readStory(database: Database, jobId: string) {
  const snapshot = database.transaction().setIsolationLevel('repeatable read').setAccessMode('read only');
  return snapshot.execute(async (tx) => ({
    job: await tx.selectFrom('jobs').selectAll().where('job_id', '=', jobId).executeTakeFirstOrThrow(),
    runs: await listRuns(tx, jobId),
    messages: await listMessages(tx, jobId),
    answers: (
      await tx
        .selectFrom('turns')
        .innerJoin('runs', 'runs.run_id', 'turns.run_id')
        .select('turn_index')
        .where('job_id', '=', jobId)
        .where('answer', 'is not', null)
        .execute()
    ).length,
    events: await listEvents(tx, { jobId, after: 0, limit: 100_000 }),
  }));
}

const statusAfter: Partial<Record<string, JobStatus>> = {
  'message.accepted': 'active',
  'job.completed': 'completed',
  'job.failed': 'failed',
  'job.archived': 'archived',
  'job.unarchived': 'completed',
};

/** They end a run, or need none. */
const endings = ['job.completed', 'job.failed', 'job.archived'];

const follow = (status: JobStatus, { type }: { type: string }): JobStatus => statusAfter[type] ?? status;

/** What a run tells lies between its start and its end, and what became of the job after it. */
function findMisplaced(told: readonly { type: string; data: Record<string, unknown> }[]): string[] {
  let open: unknown;
  return told.flatMap(({ type, data }, index) => {
    const at = `${type} at ${index + 1}`;
    if (type === 'run.started') {
      const isNested = open !== undefined;
      open = data.runId;
      return isNested ? [`${at} before the end of the run before`] : [];
    }
    if (endings.includes(type) && open !== undefined) return [`${at} before the end of its run`];
    const isOfRun = data.runId !== undefined && !type.startsWith('job.');
    const isMisplaced = isOfRun && data.runId !== open;
    if (type === 'run.ended') open = undefined;
    return isMisplaced ? [`${at} outside of its run`] : [];
  });
}
