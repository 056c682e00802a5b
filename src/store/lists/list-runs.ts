import { sql } from 'kysely';
import { type Database, inSnapshot } from '../postgres/database.ts';
import type { Effect } from '../tables/jobs/effects.ts';
import { toldReason } from '../tables/jobs/events.ts';
import type { Message } from '../tables/jobs/messages.ts';
import { countTurns, type Run } from '../tables/jobs/runs.ts';
import { type ListPage, type PageRequest, readListPage } from './page.ts';

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
    const runs = sql<ListedRun>`
      select *, ${countTurns} as turns, case when ${isLeft} then ${toldReason} end as "waitsFor"
      from runs where job_id = ${jobId}`;
    const cut = await readListPage(tx, runs, 'number', page, ({ number }) => number);
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

async function listEffectsOf(tx: Database, { jobId, runIds, isFirst }: RunsOfPage): Promise<Effect[]> {
  const { rows } = await sql<Effect>`
    select * from (
      (select * from effects where job_id = ${jobId} and run_id is null
        order by intended_at desc limit ${isFirst ? mostWithoutRun : 0})
      union all select * from effects where job_id = ${jobId} and run_id = any(${runIds})
    ) listed
    order by run_id is not null, intended_at`.execute(tx);
  return rows;
}

/** Also returns the referenced messages. */
async function listMessagesOf(
  tx: Database,
  { jobId, runIds, isFirst, referenced }: RunsOfPage & { referenced: string[] },
): Promise<Message[]> {
  const { rows } = await sql<Message>`
    select * from messages where job_id = ${jobId} and (
      run_id = any(${runIds}) or message_id = any(${referenced}) or message_id in (
        select message_id from messages where job_id = ${jobId} and run_id is null
        order by state = 'waiting' desc, seq desc limit ${isFirst ? mostWithoutRun : 0}
      )
    )
    order by seq`.execute(tx);
  return rows;
}

/** A message, with the sentence, summary and replies of the run that took it, once that run has ended. */
export type ListedMessage = Message & {
  sentence: string | null;
  summary: string | null;
  replies: unknown;
};

/** Newest first. */
export function listMessagesOfJob(
  database: Database,
  jobId: string,
  page: PageRequest<number>,
): Promise<ListPage<ListedMessage, number>> {
  const ofJob = sql<ListedMessage>`
    select messages.*, sentence, publication ->> 'summary' as summary, publication -> 'replies' as replies
    from messages left join runs on runs.run_id = messages.run_id and phase = 'ended'
    where messages.job_id = ${jobId}`;
  return readListPage(database, ofJob, 'seq', page, ({ seq }) => seq);
}
