import { type Kysely, sql } from 'kysely';
import type { Database } from '../postgres/database.ts';
import type { Effect } from '../tables/jobs/effects.ts';
import type { Message } from '../tables/jobs/messages.ts';
import { countTurns, type Run } from '../tables/jobs/runs.ts';
import type { Tables } from '../tables/schema.ts';
import { cutPage, type Page, type PageRequest, rowsToRead } from './page.ts';

export type ListedRun = Run & { turns: number };

export interface RunsPage extends Page<ListedRun, number> {
  isFirst: boolean;
  /** Of these runs; on the first page also those of no run. In order. */
  messages: Message[];
  effects: Effect[];
}

/** Newest first, in one snapshot with their messages and effects. */
export function listRunsOfJob(database: Database, jobId: string, page: PageRequest<number>): Promise<RunsPage> {
  const snapshot = database.transaction().setIsolationLevel('repeatable read').setAccessMode('read only');
  return snapshot.execute(async (tx) => {
    const runs = await tx
      .selectFrom('runs')
      .selectAll()
      .select(countTurns.as('turns'))
      .where('job_id', '=', jobId)
      .$if(page.after !== undefined, (all) => all.where('number', '<', page.after ?? 0))
      .orderBy('number', 'desc')
      .limit(rowsToRead(page))
      .execute();
    const cut = cutPage(runs, page, ({ number }) => number);
    const of = { jobId, runIds: cut.items.map(({ run_id: runId }) => runId), isFirst: page.after === undefined };
    const effects = await listEffectsOf(tx, of);
    const named = effects.flatMap(({ message_id: messageId }) => messageId ?? []);
    return { ...cut, isFirst: of.isFirst, effects, messages: await listMessagesOf(tx, { ...of, named }) };
  });
}

interface Of {
  jobId: string;
  runIds: string[];
  isFirst: boolean;
}

const isOfPage = ({ runIds, isFirst }: Of) =>
  sql<boolean>`(run_id = any(${runIds}) ${isFirst ? sql`or run_id is null` : sql``})`;

const listEffectsOf = (tx: Kysely<Tables>, of: Of): Promise<Effect[]> =>
  tx
    .selectFrom('effects')
    .selectAll()
    .where('job_id', '=', of.jobId)
    .where(isOfPage(of))
    .orderBy('intended_at')
    .execute();

/** And the named ones. */
const listMessagesOf = (tx: Kysely<Tables>, { named, ...of }: Of & { named: string[] }): Promise<Message[]> =>
  tx
    .selectFrom('messages')
    .selectAll()
    .where('job_id', '=', of.jobId)
    .where(sql<boolean>`(${isOfPage(of)} or message_id = any(${named}))`)
    .orderBy('seq')
    .execute();
