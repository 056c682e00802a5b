import { sql } from 'kysely';
import type { Database } from '../postgres/database.ts';
import { type AutomationRow, listAutomations } from '../tables/automations/automations.ts';
import type { OccasionSubject } from '../tables/columns.ts';
import type { Run } from '../tables/jobs/runs.ts';

type LastRun = Run & { ended_at: Date };

export interface ListedAutomation {
  row: AutomationRow;
  waiting: number;
  /** The last run that took up occasions and has ended. */
  lastRun: LastRun | null;
  /** The newest first. */
  passed: { subject: OccasionSubject; reason: string; finishedAt: Date }[];
}

const maxPassed = 10;

/** All of a project, by name; each with what waits and what became of the last. */
export async function listProjectAutomations(tx: Database, projectId: string): Promise<ListedAutomation[]> {
  const automations = await listAutomations(tx, projectId);
  const { rows: waiting } = await sql<{ name: string; count: number }>`
    select automation as name, count(*) from occasions where project_id = ${projectId} and state = 'waiting'
    group by automation`.execute(tx);
  const { rows: runs } = await sql<LastRun & { name: string }>`
    select a.name, last.* from automations a cross join lateral (
      select r.* from occasions o join messages m on m.message_id = o.message_id join runs r on r.run_id = m.run_id
      where o.project_id = a.project_id and o.automation = a.name and o.state = 'taken' and r.phase = 'ended'
      order by o.finished_at desc, r.number desc limit 1
    ) last
    where a.project_id = ${projectId} and a.removed_at is null`.execute(tx);
  const passed = await listPassed(tx, projectId);
  return automations.map((row) => ({
    row,
    waiting: waiting.find(({ name }) => name === row.name)?.count ?? 0,
    lastRun: runs.find(({ name }) => name === row.name) ?? null,
    passed: passed.get(row.name) ?? [],
  }));
}

async function listPassed(tx: Database, projectId: string): Promise<Map<string, ListedAutomation['passed']>> {
  const { rows } = await sql<{ name: string; subject: OccasionSubject; reason: string; finishedAt: Date }>`
    select a.name, found.subject, found.reason, found.finished_at as "finishedAt"
    from automations a cross join lateral (
      select subject, reason, finished_at from occasions o
      where o.project_id = a.project_id and o.automation = a.name and o.state = 'passed'
      order by finished_at desc limit ${maxPassed}
    ) found
    where a.project_id = ${projectId} and a.removed_at is null`.execute(tx);
  return Map.groupBy(rows, ({ name }) => name);
}
