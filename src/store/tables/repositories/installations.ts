import { isDeepStrictEqual } from 'node:util';
import { type RawBuilder, sql } from 'kysely';
import type { Database } from '../../postgres/database.ts';
import { inMs, now } from '../../postgres/moments.ts';
import { changeRows, findRow } from '../rows.ts';
import type { Row } from '../schema.ts';

const longestBlockMs = 3600_000;

/** Doubled each time if GitHub names no time. */
const leastBlockMs = 60_000;

export type InstallationRow = Row<'installations'>;

export const findInstallation = (tx: Database, installationId: number): Promise<InstallationRow | undefined> =>
  findRow(tx, 'installations', { installation_id: installationId });

/** Includes uninstalled ones. */
export async function listInstallations(tx: Database): Promise<InstallationRow[]> {
  const { rows } = await sql<InstallationRow>`
    select * from installations order by compared_at nulls first, installation_id`.execute(tx);
  return rows;
}

export async function markInstallationReconciled(tx: Database, installationId: number): Promise<void> {
  await changeRows(tx, 'installations', { installation_id: installationId }, { compared_at: sql`clock_timestamp()` });
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
  await sql`
    update installations set suspended_at = coalesce(suspended_at, now())
    where installation_id = (select installation_id from projects where project_id = ${projectId})`.execute(tx);
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
    const current = await readBlock(tx, installationId, sql`for no key update`);
    if (!isStated && current && !current.isOver) return current.until;
    const began = sql`(select moment from watermarks where name = ${name})`;
    const longer = sql`now() + least(
      greatest((blocked_until - ${began}) * 2, ${leastBlockMs} * interval '1 millisecond'),
      ${longestBlockMs} * interval '1 millisecond'
    )`;
    const end = isStated ? sql`greatest(blocked_until, ${inMs(until.getTime() - Date.now())})` : longer;
    const { rows } = await sql<{ leftMs: number }>`
      update installations set blocked_until = ${end} where installation_id = ${installationId}
      returning ${blockLeftMs} as "leftMs"`.execute(tx);
    await tx.deleteFrom('watermarks').where('name', '=', name).execute();
    if (!isStated) await tx.insertInto('watermarks').values({ name, moment: now }).execute();
    return createBlock(rows[0]?.leftMs ?? null)?.until ?? until;
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

export const findBlock = (tx: Database, installationId: number): Promise<Block | undefined> =>
  readBlock(tx, installationId, sql``);

async function readBlock(
  tx: Database,
  installationId: number,
  locking: RawBuilder<unknown>,
): Promise<Block | undefined> {
  const { rows } = await sql<{ leftMs: number | null }>`
    select ${blockLeftMs} as "leftMs" from installations where installation_id = ${installationId} ${locking}`.execute(
    tx,
  );
  return createBlock(rows[0]?.leftMs ?? null);
}
