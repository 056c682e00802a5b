import { isDeepStrictEqual } from 'node:util';
import { type RawBuilder, sql } from 'kysely';
import type { Database } from '../../postgres/database.ts';
import { isUnqueued, type Stored } from '../../schedule/unqueued.ts';
import { canCallGitHub } from '../repositories/installations.ts';
import type { ColumnChange, Row } from '../schema.ts';
import { type AutomationKey, passOverWaiting } from './occasions.ts';

export type AutomationRow = Row<'automations'>;

const now = sql<Date>`now()`;
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
    await updateAutomation(
      tx,
      { projectId, name },
      {
        removed_at: now,
        due_at: null,
        scheduled_at: null,
        held: null,
      },
    );
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
export function listAutomations(
  tx: Database,
  projectId: string,
  { includesRemoved = false }: { includesRemoved?: boolean } = {},
): Promise<AutomationRow[]> {
  return tx
    .selectFrom('automations')
    .selectAll()
    .where('project_id', '=', projectId)
    .$if(!includesRemoved, (present) => present.where('removed_at', 'is', null))
    .orderBy('name')
    .execute();
}

export function findAutomation(tx: Database, key: AutomationKey): Promise<AutomationRow | undefined> {
  return selectOne(tx, key).executeTakeFirst();
}

/** Call it after its job is locked: the order is installation, project, job, automation. */
export function lockAutomation(tx: Database, key: AutomationKey): Promise<AutomationRow | undefined> {
  return selectOne(tx, key).forUpdate().executeTakeFirst();
}

const selectOne = (tx: Database, { projectId, name }: AutomationKey) =>
  tx
    .selectFrom('automations')
    .selectAll()
    .where(({ and }) => and({ project_id: projectId, name, removed_at: null }));

export async function updateAutomation(
  tx: Database,
  { projectId, name }: AutomationKey,
  change: ColumnChange<'automations'>,
): Promise<void> {
  await tx
    .updateTable('automations')
    .set(change)
    .where(({ and }) => and({ project_id: projectId, name }))
    .execute();
}

/** Makes it due so long from now, unless it is due earlier. */
export async function makeDue(tx: Database, key: AutomationKey, { afterMs }: { afterMs: number }): Promise<void> {
  await updateAutomation(tx, key, {
    due_at: sql<Date>`least(due_at, now() + ${afterMs} * interval '1 millisecond')`,
  });
}

/** Makes it due so long from now, also if it is due earlier. */
export async function postpone(tx: Database, key: AutomationKey, { afterMs }: { afterMs: number }): Promise<void> {
  await updateAutomation(tx, key, { due_at: sql<Date>`now() + ${afterMs} * interval '1 millisecond'` });
}

/** Those that a repository's occasions may concern, of all projects, in the order of their locks. */
export function listAutomationsOf(tx: Database, repositoryId: number): Promise<AutomationRow[]> {
  return tx
    .selectFrom('automations')
    .selectAll()
    .where(({ and }) => and({ repository_id: repositoryId, removed_at: null }))
    .orderBy('project_id')
    .orderBy('name')
    .execute();
}

/** Whether anything of a repository may be an occasion: asked for each of its webhooks. */
export async function hasAutomationOf(tx: Database, repositoryId: number): Promise<boolean> {
  const found = await tx
    .selectFrom('automations')
    .select('name')
    .where(({ and }) => and({ repository_id: repositoryId, removed_at: null }))
    .limit(1)
    .executeTakeFirst();
  return found !== undefined;
}

/** The repositories whose merges and releases trigger automations. */
export const listTriggeringProjects = (tx: Database): Promise<Row<'projects'>[]> =>
  listProjectsWith(tx, {
    automation: sql<boolean>`automations.repository_id = projects.repository_id and broken is null`,
    by: 'occasions_read_at',
  });

/** Projects with an automation that nothing can trigger. */
export const listBrokenProjects = (tx: Database): Promise<Row<'projects'>[]> =>
  listProjectsWith(tx, {
    automation: sql<boolean>`automations.project_id = projects.project_id and broken is not null`,
    by: 'settings_read_at',
  });

/** Excludes suspended and blocked installations. The longest ago comes first. */
function listProjectsWith(
  tx: Database,
  { automation, by }: { automation: RawBuilder<boolean>; by: 'occasions_read_at' | 'settings_read_at' },
): Promise<Row<'projects'>[]> {
  return tx
    .selectFrom('projects')
    .innerJoin('installations', 'installations.installation_id', 'projects.installation_id')
    .selectAll('projects')
    .where('projects.removed_at', 'is', null)
    .where(canCallGitHub)
    .where(({ exists, selectFrom }) =>
      exists(selectFrom('automations').select('name').where('automations.removed_at', 'is', null).where(automation)),
    )
    .orderBy(by, (order) => order.asc().nullsFirst())
    .execute();
}

export async function markOccasionsRead(tx: Database, projectId: string): Promise<void> {
  await tx
    .updateTable('projects')
    .set({ occasions_read_at: sql`clock_timestamp()` })
    .where('project_id', '=', projectId)
    .execute();
}

/**
 * All that are due and that no entry of the queue takes up, of all projects: one query of an index, however many schedules there are. The longest
 * due come first.
 */
export async function listDueAutomations({ database, queue }: Stored, limit: number): Promise<AutomationKey[]> {
  const rows = await database
    .selectFrom('automations')
    .select(['project_id', 'name'])
    .where(nextAt, '<=', now)
    .where(({ and }) => and({ paused_at: null, removed_at: null }))
    .where(isUnqueued(queue, 'automation', { projectId: sql`project_id`, name: sql`automations.name` }))
    .orderBy(nextAt)
    .limit(limit)
    .execute();
  return rows.map(({ project_id: projectId, name }) => ({ projectId, name }));
}
