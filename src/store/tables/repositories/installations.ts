import { isDeepStrictEqual } from 'node:util';
import { sql } from 'kysely';
import type { Database } from '../../postgres/database.ts';
import type { Row } from '../schema.ts';

const longestBlockMs = 3600_000;

/** Doubled each time if GitHub names no time. */
const leastBlockMs = 60_000;

export type InstallationRow = Row<'installations'>;

export function findInstallation(tx: Database, installationId: number): Promise<InstallationRow | undefined> {
  return tx.selectFrom('installations').selectAll().where('installation_id', '=', installationId).executeTakeFirst();
}

/** Includes uninstalled ones. */
export function listInstallations(tx: Database): Promise<InstallationRow[]> {
  return tx
    .selectFrom('installations')
    .selectAll()
    .orderBy('compared_at', (order) => order.asc().nullsFirst())
    .orderBy('installation_id')
    .execute();
}

export async function markInstallationReconciled(tx: Database, installationId: number): Promise<void> {
  await tx
    .updateTable('installations')
    .set({ compared_at: sql`clock_timestamp()` })
    .where('installation_id', '=', installationId)
    .execute();
}

/** Idempotent by `installationId`. Locks only for a change. A suspension that changed since `rowBeforeRequest` is newer and stays. */
export async function upsertInstallation(
  tx: Database,
  options: {
    installationId: number;
    account: string;
    suspendedAt: Date | null;
    rowBeforeRequest?: InstallationRow | undefined;
  },
): Promise<void> {
  const { installationId, account, suspendedAt, rowBeforeRequest } = options;
  const values = { account, suspended_at: suspendedAt };
  const stored = await findInstallation(tx, installationId);
  if (stored && isDeepStrictEqual(stored, { ...stored, ...values })) return;
  // JavaScript dates have milliseconds, `now()` microseconds.
  const isUnchanged = sql<boolean>`date_trunc('milliseconds', installations.suspended_at) is not distinct from ${rowBeforeRequest?.suspended_at ?? null}::timestamptz`;
  const latestSuspension = sql<Date | null>`case when ${isUnchanged} then excluded.suspended_at else installations.suspended_at end`;
  await tx
    .insertInto('installations')
    .values({ installation_id: installationId, ...values })
    .onConflict((conflict) =>
      conflict
        .column('installation_id')
        .doUpdateSet(rowBeforeRequest ? { ...values, suspended_at: latestSuspension } : values),
    )
    .execute();
}

/** A webhook or the reconciliation clears it. */
export async function suspendInstallationOf(tx: Database, projectId: string): Promise<void> {
  await tx
    .updateTable('installations')
    .set({ suspended_at: sql`coalesce(suspended_at, now())` })
    .where('installation_id', 'in', (select) =>
      select.selectFrom('projects').select('installation_id').where('project_id', '=', projectId),
    )
    .execute();
}

export const canCallGitHub = sql<boolean>`(suspended_at is null and (blocked_until is null or blocked_until <= now()))`;

export interface Block {
  until: Date;
  /** The block has expired, but no request has succeeded since. */
  isOver: boolean;
}

/** Null: no block. */
export const blockLeftMs = sql<number | null>`1000 * extract(epoch from blocked_until - clock_timestamp())::float8`;

export const createBlock = (leftMs: number | null): Block | undefined =>
  leftMs === null ? undefined : { until: new Date(Date.now() + Math.ceil(leftMs)), isOver: leftMs <= 0 };

/** Names the watermark of a block without a stated end: the next block is twice as long. */
const unstatedBlock = (installationId: number) => `unstated block of installation ${installationId}`;

/**
 * A shorter block never replaces a longer one. Without a stated end the block lasts a minute, or twice as long as the previous one if
 * nothing succeeded since; refusals during a block do not extend it. Times are by this process’s clock.
 */
export async function blockInstallation(
  database: Database,
  installationId: number,
  until: Date,
  { isStated = true }: { isStated?: boolean } = {},
): Promise<Date> {
  const name = unstatedBlock(installationId);
  return database.transaction().execute(async (tx) => {
    const current = await readBlock(tx, installationId, { isLocked: true });
    if (!isStated && current && !current.isOver) return current.until;
    const statedEnd = sql<Date>`now() + ${until.getTime() - Date.now()} * interval '1 millisecond'`;
    const began = sql<Date>`(select moment from watermarks where name = ${name})`;
    const longer = sql<Date>`now() + least(
      greatest((blocked_until - ${began}) * 2, ${leastBlockMs} * interval '1 millisecond'),
      ${longestBlockMs} * interval '1 millisecond'
    )`;
    const blocked = await tx
      .updateTable('installations')
      .set({ blocked_until: isStated ? sql<Date>`greatest(blocked_until, ${statedEnd})` : longer })
      .where('installation_id', '=', installationId)
      .returning(blockLeftMs.as('leftMs'))
      .executeTakeFirst();
    await tx.deleteFrom('watermarks').where('name', '=', name).execute();
    if (!isStated) await tx.insertInto('watermarks').values({ name, moment: sql<Date>`now()` }).execute();
    return createBlock(blocked?.leftMs ?? null)?.until ?? until;
  });
}

/** Removes an expired block only. */
export async function endBlock(database: Database, installationId: number): Promise<void> {
  await sql`
    with ended as (
      update installations set blocked_until = null
      where installation_id = ${installationId} and blocked_until <= now() returning installation_id
    )
    delete from watermarks using ended where name = ${unstatedBlock(installationId)}`.execute(database);
}

export function findBlock(tx: Database, installationId: number): Promise<Block | undefined> {
  return readBlock(tx, installationId, { isLocked: false });
}

async function readBlock(
  tx: Database,
  installationId: number,
  { isLocked }: { isLocked: boolean },
): Promise<Block | undefined> {
  const read = tx
    .selectFrom('installations')
    .select(blockLeftMs.as('leftMs'))
    .where('installation_id', '=', installationId);
  const found = await (isLocked ? read.forNoKeyUpdate() : read).executeTakeFirst();
  return createBlock(found?.leftMs ?? null);
}
