import { type Kysely, sql } from 'kysely';
import type { Row, Tables } from './schema.ts';

export type StoredTurn = Row<'turns'>;

export async function insertTurn(
  tx: Kysely<Tables>,
  { runId, turnIndex, inputs }: { runId: string; turnIndex: number; inputs: string[] },
): Promise<void> {
  await tx
    .insertInto('turns')
    .values({ run_id: runId, turn_index: turnIndex, inputs: JSON.stringify(inputs) })
    .execute();
}

export async function storeAnswer(
  tx: Kysely<Tables>,
  { runId, turnIndex, answer }: { runId: string; turnIndex: number; answer: object },
): Promise<void> {
  await tx
    .updateTable('turns')
    .set({ answer: JSON.stringify(answer) })
    .where('run_id', '=', runId)
    .where('turn_index', '=', turnIndex)
    .execute();
}

export async function storeResults(
  tx: Kysely<Tables>,
  { runId, turnIndex, results }: { runId: string; turnIndex: number; results: object[] },
): Promise<void> {
  await tx
    .updateTable('turns')
    .set({ results: JSON.stringify(results) })
    .where('run_id', '=', runId)
    .where('turn_index', '=', turnIndex)
    .execute();
}

export function listTurns(tx: Kysely<Tables>, runId: string): Promise<StoredTurn[]> {
  return tx.selectFrom('turns').selectAll().where('run_id', '=', runId).orderBy('turn_index').execute();
}

/** Replaces the write set of a run; null is a deleted file. */
export async function storeWrites(
  tx: Kysely<Tables>,
  runId: string,
  writes: ReadonlyMap<string, Uint8Array | null>,
): Promise<void> {
  const paths = [...writes.keys()];
  await tx.deleteFrom('run_files').where('run_id', '=', runId).where(sql<boolean>`path <> all(${paths})`).execute();
  for (const [path, bytes] of writes) {
    const content = bytes === null ? null : Buffer.from(bytes);
    await tx
      .insertInto('run_files')
      .values({ run_id: runId, path, content })
      .onConflict((conflict) =>
        conflict
          .columns(['run_id', 'path'])
          .doUpdateSet({ content })
          .where(sql<boolean>`run_files.content is distinct from excluded.content`),
      )
      .execute();
  }
}

export async function readWrites(tx: Kysely<Tables>, runId: string): Promise<Map<string, Uint8Array | null>> {
  const rows = await tx.selectFrom('run_files').select(['path', 'content']).where('run_id', '=', runId).execute();
  return new Map(rows.map(({ path, content }) => [path, content]));
}
