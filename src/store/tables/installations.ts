import { isDeepStrictEqual } from 'node:util';
import { type Kysely, sql } from 'kysely';
import { realTiming } from '../../timing.ts';
import type { Database } from '../postgres/database.ts';
import type { Row, Tables } from './schema.ts';

export type Installation = Row<'installations'>;

export function findInstallation(tx: Kysely<Tables>, installationId: number): Promise<Installation | undefined> {
  return tx.selectFrom('installations').selectAll().where('installation_id', '=', installationId).executeTakeFirst();
}

/** All that were ever seen, those included that are gone; first those that were never compared, then as long ago as that is. */
export function listInstallations(tx: Kysely<Tables>): Promise<Installation[]> {
  return tx
    .selectFrom('installations')
    .selectAll()
    .orderBy('compared_at', (order) => order.asc().nullsFirst())
    .orderBy('installation_id')
    .execute();
}

/** A round that compares has come to it: it is the last of the next one, whatever becomes of it now. */
export async function markInstallationReconciled(tx: Kysely<Tables>, installationId: number): Promise<void> {
  await tx
    .updateTable('installations')
    .set({ compared_at: sql`clock_timestamp()` })
    .where('installation_id', '=', installationId)
    .execute();
}

/**
 * Stores what GitHub says of an installation. Idempotent by `installationId`. Locks nothing where nothing is new: each write on GitHub
 * waits for that lock. `held` is what was known before GitHub was asked: where somebody else has suspended or unsuspended it since, that
 * is newer, and stays.
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
  const told = { account, suspended_at: suspendedAt };
  const known = await findInstallation(tx, installationId);
  if (known && isDeepStrictEqual(known, { ...known, ...told })) return;
  // JavaScript knows no more than milliseconds of what `now()` stored.
  const isHeld = sql<boolean>`date_trunc('milliseconds', installations.suspended_at) is not distinct from ${held?.suspended_at ?? null}::timestamptz`;
  const newer = sql<Date | null>`case when ${isHeld} then excluded.suspended_at else installations.suspended_at end`;
  await tx
    .insertInto('installations')
    .values({ installation_id: installationId, ...told })
    .onConflict((conflict) =>
      conflict.column('installation_id').doUpdateSet(held ? { ...told, suspended_at: newer } : told),
    )
    .execute();
}

/** GitHub says that the installation of this project is suspended; a webhook or the reconcile will say when it no longer is. */
export async function suspendInstallationOf(tx: Kysely<Tables>, projectId: string): Promise<void> {
  await tx
    .updateTable('installations')
    .set({ suspended_at: sql`coalesce(suspended_at, now())` })
    .where('installation_id', 'in', (select) =>
      select.selectFrom('projects').select('installation_id').where('project_id', '=', projectId),
    )
    .execute();
}

/** GitHub may be asked something in its name: it is neither suspended nor blocked by GitHub's rate limit. */
export const canCallGitHub = sql<boolean>`(suspended_at is null and (blocked_until is null or blocked_until <= now()))`;

/** What GitHub said last of an installation that it refused something by a limit. */
export interface Block {
  /** By this process's clock, as all times are that anything waits for here: only how far away it is comes from the database. */
  until: Date;
  /** By the database's clock. GitHub has not taken anything since, or nothing was asked. */
  isOver: boolean;
}

/** What a statement reads of `blocked_until`: in how many milliseconds that is; null where nothing blocks the installation. */
export const blockLeftMs = sql<number | null>`1000 * extract(epoch from blocked_until - clock_timestamp())::float8`;

/** The block that ends in so many milliseconds, which were just read. */
export const createBlock = (leftMs: number | null): Block | undefined =>
  leftMs === null ? undefined : { until: new Date(Date.now() + Math.ceil(leftMs)), isOver: leftMs <= 0 };

/** When the block began whose time GitHub did not say: the next one is twice as long. */
const unstatedBlock = (installationId: number) => `unstated block of installation ${installationId}`;

/**
 * No request of this installation before `until`; a shorter block never replaces a longer one. Where GitHub did not state it, that is a
 * minute, and twice as long as the last time where nothing succeeded since; what is refused while a block lasts does not make it longer.
 * Only the distance of `until` from now counts, by this process's clock. Returns when the block ends, by the same.
 */
export async function blockInstallation(
  database: Database,
  installationId: number,
  until: Date,
  { isStated = true }: { isStated?: boolean } = {},
): Promise<Date> {
  const name = unstatedBlock(installationId);
  return database.transaction().execute(async (tx) => {
    const known = await readBlock(tx, installationId, { isLocked: true });
    if (!isStated && known && !known.isOver) return known.until;
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

/** GitHub has taken something of this installation, so that a block which is over is forgotten. One that lasts is not. */
export async function endBlock(database: Database, installationId: number): Promise<void> {
  await sql`
    with ended as (
      update installations set blocked_until = null
      where installation_id = ${installationId} and blocked_until <= now() returning installation_id
    )
    delete from watermarks using ended where name = ${unstatedBlock(installationId)}`.execute(database);
}

/** Undefined: GitHub refused it nothing by a limit, or has taken something since. */
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
