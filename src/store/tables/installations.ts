import { isDeepStrictEqual } from 'node:util';
import { type Kysely, sql } from 'kysely';
import { realTiming } from '../../timing.ts';
import type { Database } from '../postgres/database.ts';
import type { Row, Tables } from './schema.ts';

export type Installation = Row<'installations'>;

export function findInstallation(tx: Kysely<Tables>, installationId: number): Promise<Installation | undefined> {
  return tx.selectFrom('installations').selectAll().where('installation_id', '=', installationId).executeTakeFirst();
}

/** All installations, uninstalled ones included: first those never reconciled, then by the time of the last reconciliation. */
export function listInstallations(tx: Kysely<Tables>): Promise<Installation[]> {
  return tx
    .selectFrom('installations')
    .selectAll()
    .orderBy('compared_at', (order) => order.asc().nullsFirst())
    .orderBy('installation_id')
    .execute();
}

/** Moves the installation to the end of the next round, whatever the result of this one. */
export async function markInstallationReconciled(tx: Kysely<Tables>, installationId: number): Promise<void> {
  await tx
    .updateTable('installations')
    .set({ compared_at: sql`clock_timestamp()` })
    .where('installation_id', '=', installationId)
    .execute();
}

/**
 * Stores an installation as GitHub reports it. Idempotent by `installationId`. Without a change it takes no lock, because each write on
 * GitHub waits for that lock. `held`: the row from before the request to GitHub; if a webhook has changed the suspension since, that is
 * newer and stays.
 */
export async function upsertInstallation(
  tx: Kysely<Tables>,
  {
    installationId,
    account,
    suspendedAt,
    held,
  }: { installationId: number; account: string; suspendedAt: Date | null; held?: Installation | undefined },
): Promise<void> {
  const values = { account, suspended_at: suspendedAt };
  const stored = await findInstallation(tx, installationId);
  if (stored && isDeepStrictEqual(stored, { ...stored, ...values })) return;
  // JavaScript dates have milliseconds, `now()` microseconds.
  const isHeld = sql<boolean>`date_trunc('milliseconds', installations.suspended_at) is not distinct from ${held?.suspended_at ?? null}::timestamptz`;
  const newer = sql<Date | null>`case when ${isHeld} then excluded.suspended_at else installations.suspended_at end`;
  await tx
    .insertInto('installations')
    .values({ installation_id: installationId, ...values })
    .onConflict((conflict) =>
      conflict.column('installation_id').doUpdateSet(held ? { ...values, suspended_at: newer } : values),
    )
    .execute();
}

/** Marks the installation of a project as suspended; a webhook or the reconciliation clears it. */
export async function suspendInstallationOf(tx: Kysely<Tables>, projectId: string): Promise<void> {
  await tx
    .updateTable('installations')
    .set({ suspended_at: sql`coalesce(suspended_at, now())` })
    .where('installation_id', 'in', (select) =>
      select.selectFrom('projects').select('installation_id').where('project_id', '=', projectId),
    )
    .execute();
}

/** The installation is neither suspended nor blocked by a rate limit. */
export const canCallGitHub = sql<boolean>`(suspended_at is null and (blocked_until is null or blocked_until <= now()))`;

/** A rate limit of GitHub's on an installation. */
export interface Block {
  /** By this process's clock; the database provides the remaining time. */
  until: Date;
  /** The block has expired, but no request has succeeded since. */
  isOver: boolean;
}

/** Milliseconds until `blocked_until`; null without a block. */
export const blockLeftMs = sql<number | null>`1000 * extract(epoch from blocked_until - clock_timestamp())::float8`;

/** The block that ends in `leftMs`, as just read. */
export const createBlock = (leftMs: number | null): Block | undefined =>
  leftMs === null ? undefined : { until: new Date(Date.now() + Math.ceil(leftMs)), isOver: leftMs <= 0 };

/** Start of a block without a stated end: the next one is twice as long. */
const unstatedBlock = (installationId: number) => `unstated block of installation ${installationId}`;

/**
 * Blocks requests of this installation until `until`; a shorter block never replaces a longer one. Without a stated end the block lasts a
 * minute, or twice as long as the previous one if nothing succeeded since; refusals during a block do not extend it. Both `until` and the
 * result use this process’s clock.
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
      greatest((blocked_until - ${began}) * 2, ${realTiming.github.leastBlockMs} * interval '1 millisecond'),
      ${realTiming.github.longestBlockMs} * interval '1 millisecond'
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

/** A request succeeded: removes an expired block, but not a current one. */
export async function endBlock(database: Database, installationId: number): Promise<void> {
  await sql`
    with ended as (
      update installations set blocked_until = null
      where installation_id = ${installationId} and blocked_until <= now() returning installation_id
    )
    delete from watermarks using ended where name = ${unstatedBlock(installationId)}`.execute(database);
}

/** Undefined: no rate limit since the last success. */
export function findBlock(tx: Kysely<Tables>, installationId: number): Promise<Block | undefined> {
  return readBlock(tx, installationId, { isLocked: false });
}

async function readBlock(
  tx: Kysely<Tables>,
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
