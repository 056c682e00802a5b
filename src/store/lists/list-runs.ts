import { sql } from 'kysely';
import { type Database, inSnapshot } from '../postgres/database.ts';
import type { Effect } from '../tables/jobs/effects.ts';
import { toldReason } from '../tables/jobs/events.ts';
import type { Message } from '../tables/jobs/messages.ts';
import { countTurns, type Run } from '../tables/jobs/runs.ts';
import { cutPage, type ListPage, type PageRequest, rowsToRead } from './page.ts';

type ListedRun = Run & { turns: number; waitsFor: string | null };

/** No worker has it. */
const isLeft = sql<boolean>`phase <> 'ended' and (select lease_owner is null from jobs where jobs.job_id = runs.job_id)`;

export interface RunsPage extends ListPage<ListedRun, number> {
  isFirst: boolean;
  /** Messages of these runs, in order. The first page adds those without a run: the waiting ones, then the newest. */
  messages: Message[];
  effects: Effect[];
}

/** Newest first, in one snapshot with their messages and effects. */
export function listRunsOfJob(database: Database, jobId: string, page: PageRequest<number>): Promise<RunsPage> {
  return inSnapshot(database, async (tx) => {
    const runs = await tx
      .selectFrom('runs')
      .selectAll()
      .select([countTurns.as('turns'), sql<string | null>`case when ${isLeft} then ${toldReason} end`.as('waitsFor')])
      .where('job_id', '=', jobId)
      .$if(page.after !== undefined, (all) => all.where('number', '<', page.after ?? 0))
      .orderBy('number', 'desc')
      .limit(rowsToRead(page))
      .execute();
    const cut = cutPage(runs, page, ({ number }) => number);
    const of = { jobId, runIds: cut.items.map(({ run_id: runId }) => runId), isFirst: page.after === undefined };
    const effects = await listEffectsOf(tx, of);
    const referenced = effects.flatMap(({ message_id: messageId }) => messageId ?? []);
    return { ...cut, isFirst: of.isFirst, effects, messages: await listMessagesOf(tx, { ...of, referenced }) };
  });
}

interface RunsOfPage {
  jobId: string;
  runIds: string[];
  isFirst: boolean;
}

/** Rows without a run: a job has one for each comment, for example. */
const mostWithoutRun = 100;

const isOfRuns = (runIds: readonly string[]) => sql<boolean>`run_id = any(${[...runIds]})`;

async function listEffectsOf(tx: Database, { jobId, runIds, isFirst }: RunsOfPage): Promise<Effect[]> {
  const all = tx.selectFrom('effects').selectAll().where('job_id', '=', jobId);
  const outside = all.where('run_id', 'is', null).orderBy('intended_at', 'desc').limit(mostWithoutRun);
  const ofRuns = await all.where(isOfRuns(runIds)).orderBy('intended_at').execute();
  return isFirst ? [...(await outside.execute()).reverse(), ...ofRuns] : ofRuns;
}

/** Also returns the referenced messages. */
async function listMessagesOf(
  tx: Database,
  { jobId, runIds, isFirst, referenced }: RunsOfPage & { referenced: string[] },
): Promise<Message[]> {
  const outside = tx
    .selectFrom('messages')
    .select('message_id')
    .where(({ and }) => and({ job_id: jobId, run_id: null }))
    .orderBy(sql`state = 'waiting'`, 'desc')
    .orderBy('seq', 'desc')
    .limit(isFirst ? mostWithoutRun : 0);
  return tx
    .selectFrom('messages')
    .selectAll()
    .where('job_id', '=', jobId)
    .where(({ or, eb }) =>
      or([isOfRuns(runIds), eb('message_id', 'in', outside), sql<boolean>`message_id = any(${referenced})`]),
    )
    .orderBy('seq')
    .execute();
}

/** A message, with the sentence, summary and replies of the run that took it, once that run has ended. */
export type ListedMessage = Message & {
  sentence: string | null;
  summary: string | null;
  replies: unknown;
};

/** Newest first. */
export async function listMessagesOfJob(
  database: Database,
  jobId: string,
  page: PageRequest<number>,
): Promise<ListPage<ListedMessage, number>> {
  const rows = await database
    .selectFrom('messages')
    .leftJoin('runs', (join) => join.onRef('runs.run_id', '=', 'messages.run_id').on('runs.phase', '=', 'ended'))
    .selectAll('messages')
    .select([
      'runs.sentence',
      sql<string | null>`publication ->> 'summary'`.as('summary'),
      sql<unknown>`publication -> 'replies'`.as('replies'),
    ])
    .where('messages.job_id', '=', jobId)
    .$if(page.after !== undefined, (messages) => messages.where('seq', '<', page.after ?? 0))
    .orderBy('seq', 'desc')
    .limit(rowsToRead(page))
    .execute();
  return cutPage(rows, page, ({ seq }) => seq);
}
