import { sql } from 'kysely';
import type { Database } from '../postgres/database.ts';
import type { AutomationRow } from '../tables/automations/automations.ts';
import type { OccasionSubject } from '../tables/columns.ts';
import type { Run } from '../tables/jobs/runs.ts';

type LastRun = Pick<Run, 'run_id' | 'job_id' | 'outcome' | 'code' | 'sentence' | 'commit_sha' | 'publication'>;

export interface ListedAutomation {
  row: AutomationRow;
  waiting: number;
  /** The last run that took up occasions and has ended. */
  lastRun: (LastRun & { ended_at: Date }) | null;
  /** The newest first. */
  passed: { subject: OccasionSubject; reason: string; finishedAt: Date }[];
}

const maxPassed = 10;

/** All of a project, by name; each with what waits and what became of the last. */
export async function listProjectAutomations(tx: Database, projectId: string): Promise<ListedAutomation[]> {
  const { rows } = await sql<{ name: string; waiting: number; runId: string | null }>`
    select a.name,
      (select count(*) from occasions o where o.project_id = a.project_id and o.automation = a.name and o.state = 'waiting')::int as waiting,
      (select r.run_id from occasions o join messages m on m.message_id = o.message_id join runs r on r.run_id = m.run_id
        where o.project_id = a.project_id and o.automation = a.name and o.state = 'taken' and r.phase = 'ended'
        order by o.finished_at desc, r.number desc limit 1) as "runId"
    from automations a where a.project_id = ${projectId} and a.removed_at is null order by a.name`.execute(tx);
  const automations = await tx
    .selectFrom('automations')
    .selectAll()
    .where(({ and }) => and({ project_id: projectId, removed_at: null }))
    .execute();
  const runIds = rows.flatMap(({ runId }) => runId ?? []);
  const runs = await tx
    .selectFrom('runs')
    .select(['run_id', 'job_id', 'outcome', 'code', 'sentence', 'commit_sha', 'publication', 'ended_at'])
    .where('run_id', '=', sql<string>`any(${runIds})`)
    .execute();
  const passed = await listPassed(tx, projectId);
  return rows.flatMap(({ name, waiting, runId }) => {
    const row = automations.find((each) => each.name === name);
    const run = runs.find((each) => each.run_id === runId);
    const lastRun = run?.ended_at ? { ...run, ended_at: run.ended_at } : null;
    return row ? [{ row, waiting, lastRun, passed: passed.get(name) ?? [] }] : [];
  });
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
  const byName = new Map<string, ListedAutomation['passed']>();
  for (const { name, ...one } of rows) byName.set(name, [...(byName.get(name) ?? []), one]);
  return byName;
}
