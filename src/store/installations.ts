import { type Kysely, sql } from 'kysely';
import type { Row, Tables } from './schema.ts';

export type Installation = Row<'installations'>;

export function findInstallation(tx: Kysely<Tables>, installationId: number): Promise<Installation | undefined> {
  return tx.selectFrom('installations').selectAll().where('installation_id', '=', installationId).executeTakeFirst();
}

/** All that were ever seen, those included that are gone. */
export async function listInstallationIds(tx: Kysely<Tables>): Promise<number[]> {
  const rows = await tx.selectFrom('installations').select('installation_id').execute();
  return rows.map((row) => row.installation_id);
}

/** Stores what GitHub says of an installation. Idempotent by `installationId`. */
export async function upsertInstallation(
  tx: Kysely<Tables>,
  { installationId, account, suspendedAt }: { installationId: number; account: string; suspendedAt: Date | null },
): Promise<void> {
  const told = { account, suspended_at: suspendedAt };
  await tx
    .insertInto('installations')
    .values({ installation_id: installationId, ...told })
    .onConflict((conflict) => conflict.column('installation_id').doUpdateSet(told))
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

/** No request of this installation before `until`; a shorter block never replaces a longer one. */
export async function blockInstallation(database: Kysely<Tables>, installationId: number, until: Date): Promise<void> {
  await database
    .updateTable('installations')
    .set({ blocked_until: until })
    .where('installation_id', '=', installationId)
    .where((where) => where.or([where('blocked_until', 'is', null), where('blocked_until', '<', until)]))
    .execute();
}

/** When GitHub will listen to this installation again; undefined: now. */
export async function findBlockedUntil(tx: Kysely<Tables>, installationId: number): Promise<Date | undefined> {
  const blocked = await tx
    .selectFrom('installations')
    .select('blocked_until')
    .where('installation_id', '=', installationId)
    .where('blocked_until', '>', sql<Date>`now()`)
    .executeTakeFirst();
  return blocked?.blocked_until ?? undefined;
}
