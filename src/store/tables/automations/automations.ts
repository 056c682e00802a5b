import { isDeepStrictEqual } from 'node:util';
import { type RawBuilder, sql } from 'kysely';
import type { Database } from '../../postgres/database.ts';
import { inMs, now } from '../../postgres/moments.ts';
import { isUnqueued, type Stored } from '../../schedule/unqueued.ts';
import { canCallGitHub } from '../repositories/installations.ts';
import { changeRows, findRow, hasRow, listRows, lockRow } from '../rows.ts';
import type { ColumnChange, Row } from '../schema.ts';
import { type AutomationKey, passOverWaiting } from './occasions.ts';

export type AutomationRow = Row<'automations'>;

/** As in the index `automations_due`. */
const nextAt = sql<Date>`least(due_at, scheduled_at)`;

/** As the settings have it now. */
interface WantedAutomation {
  name: string;
  setting: object;
  repositoryId: number | null;
  broken: string | null;
  /** What happened before now is no occasion of it. */
  beginsNow: boolean;
  /** Undefined: it stays. */
  scheduledAt: Date | null | undefined;
}

/**
 * Makes the rows as the settings are, and keeps what they do not say: pauses, occasions, the last job. Locks only for a change. Call it in the
 * transaction that stores the settings.
 */
export async function storeAutomations(
  tx: Database,
  projectId: string,
  { wanted, stored }: { wanted: readonly WantedAutomation[]; stored: readonly AutomationRow[] },
): Promise<void> {
  for (const automation of wanted) {
    const { name, setting, repositoryId, broken, beginsNow, scheduledAt } = automation;
    if (!beginsNow && !isChanged(stored, automation)) continue;
    const values = { setting: JSON.stringify(setting), repository_id: repositoryId, broken };
    const scheduled = scheduledAt === undefined ? {} : { scheduled_at: scheduledAt };
    await tx
      .insertInto('automations')
      .values({ project_id: projectId, name, ...values, ...scheduled })
      .onConflict((conflict) =>
        conflict
          .columns(['project_id', 'name'])
          .doUpdateSet({ ...values, ...scheduled, removed_at: null, ...(beginsNow && { since: now, held: null }) }),
      )
      .execute();
  }
  const gone = stored.filter((row) => row.removed_at === null && !wanted.some(({ name }) => name === row.name));
  for (const { name } of gone) {
    const removed = { removed_at: now, due_at: null, scheduled_at: null, held: null };
    await updateAutomation(tx, { projectId, name }, removed);
    await passOverWaiting(tx, { projectId, name }, 'The settings no longer have this automation.');
  }
}

function isChanged(
  stored: readonly AutomationRow[],
  { name, setting, repositoryId, broken, scheduledAt }: WantedAutomation,
): boolean {
  const row = stored.find((each) => each.name === name);
  if (!row || row.repository_id !== repositoryId || row.broken !== broken || scheduledAt !== undefined) return true;
  return !isDeepStrictEqual(row.setting, setting);
}

/** Lists them in the order of their names. */
export const listAutomations = (
  tx: Database,
  projectId: string,
  { includesRemoved = false }: { includesRemoved?: boolean } = {},
): Promise<AutomationRow[]> =>
  listRows(
    tx,
    'automations',
    { project_id: projectId, ...(!includesRemoved && { removed_at: null }) },
    { by: ['name'] },
  );

export const findAutomation = (tx: Database, key: AutomationKey): Promise<AutomationRow | undefined> =>
  findRow(tx, 'automations', toPresent(key));

/** Call it after its job is locked: the order is installation, project, job, automation. */
export const lockAutomation = (tx: Database, key: AutomationKey): Promise<AutomationRow | undefined> =>
  lockRow(tx, 'automations', toPresent(key));

const toPresent = ({ projectId, name }: AutomationKey) => ({ project_id: projectId, name, removed_at: null });

export async function updateAutomation(
  tx: Database,
  { projectId, name }: AutomationKey,
  change: ColumnChange<'automations'>,
): Promise<void> {
  await changeRows(tx, 'automations', { project_id: projectId, name }, change);
}

/** Makes it due so long from now, unless it is due earlier. */
export const makeDue = (tx: Database, key: AutomationKey, { afterMs }: { afterMs: number }): Promise<void> =>
  updateAutomation(tx, key, { due_at: sql`least(due_at, ${inMs(afterMs)})` });

/** Makes it due so long from now, also if it is due earlier. */
export const postpone = (tx: Database, key: AutomationKey, { afterMs }: { afterMs: number }): Promise<void> =>
  updateAutomation(tx, key, { due_at: inMs(afterMs) });

/** Those that a repository's occasions may concern, of all projects, in the order of their locks. */
export const listAutomationsOf = (tx: Database, repositoryId: number): Promise<AutomationRow[]> =>
  listRows(tx, 'automations', { repository_id: repositoryId, removed_at: null }, { by: ['project_id', 'name'] });

/** Whether anything of a repository may be an occasion: asked for each of its webhooks. */
export const hasAutomationOf = (tx: Database, repositoryId: number): Promise<boolean> =>
  hasRow(tx, 'automations', { repository_id: repositoryId, removed_at: null });

/** The repositories whose merges and releases trigger automations. */
export const listTriggeringProjects = (tx: Database): Promise<Row<'projects'>[]> =>
  listProjectsWith(tx, sql`automations.repository_id = projects.repository_id and broken is null`, 'occasions_read_at');

/** Projects with an automation that nothing can trigger. */
export const listBrokenProjects = (tx: Database): Promise<Row<'projects'>[]> =>
  listProjectsWith(tx, sql`automations.project_id = projects.project_id and broken is not null`, 'settings_read_at');

/** Excludes suspended and blocked installations. The longest ago comes first. */
async function listProjectsWith(
  tx: Database,
  condition: RawBuilder<unknown>,
  by: 'occasions_read_at' | 'settings_read_at',
): Promise<Row<'projects'>[]> {
  const { rows } = await sql<Row<'projects'>>`
    select projects.* from projects join installations using (installation_id)
    where projects.removed_at is null and ${canCallGitHub}
      and exists (select from automations where automations.removed_at is null and ${condition})
    order by ${sql.ref(by)} nulls first`.execute(tx);
  return rows;
}

export async function markOccasionsRead(tx: Database, projectId: string): Promise<void> {
  await changeRows(tx, 'projects', { project_id: projectId }, { occasions_read_at: sql`clock_timestamp()` });
}

/**
 * All that are due and that no entry of the queue takes up, of all projects: one query of an index, however many schedules there are. The longest
 * due come first.
 */
export async function listDueAutomations({ database, queue }: Stored, limit: number): Promise<AutomationKey[]> {
  const { rows } = await sql<AutomationKey>`
    select project_id as "projectId", name from automations
    where ${nextAt} <= now() and paused_at is null and removed_at is null
      and ${isUnqueued(queue, 'automation', { projectId: sql`project_id`, name: sql`automations.name` })}
    order by ${nextAt} limit ${limit}`.execute(database);
  return rows;
}
