import { sql } from 'kysely';
import type { Database } from '../../postgres/database.ts';
import { now } from '../../postgres/moments.ts';
import { changeRows, listRows } from '../rows.ts';
import type { Row } from '../schema.ts';

export async function insertTurn(
  tx: Database,
  { runId, turnIndex, inputs }: { runId: string; turnIndex: number; inputs: string[] },
): Promise<void> {
  const turn = { run_id: runId, turn_index: turnIndex, inputs: JSON.stringify(inputs) };
  await tx.insertInto('turns').values(turn).execute();
}

/** Returns false if the turn has an answer. */
export async function storeAnswer(
  tx: Database,
  { runId, turnIndex, answer }: { runId: string; turnIndex: number; answer: object },
): Promise<boolean> {
  const unanswered = { run_id: runId, turn_index: turnIndex, answer: null };
  return (await changeRows(tx, 'turns', unanswered, { answer: JSON.stringify(answer) })) > 0;
}

export async function storeResults(
  tx: Database,
  { runId, turnIndex, results }: { runId: string; turnIndex: number; results: object[] },
): Promise<void> {
  const finished = { results: JSON.stringify(results), finished_at: now };
  await changeRows(tx, 'turns', { run_id: runId, turn_index: turnIndex }, finished);
}

/** Replaces answers and results. The first originals are kept. */
export async function storeCompacted(
  tx: Database,
  options: { runId: string; turns: { turnIndex: number; answer: object; results: object[]; compactedFor: number }[] },
): Promise<void> {
  const { runId, turns } = options;
  await sql`
    update turns set
      original = coalesce(original, json_build_object('answer', turns.answer, 'results', turns.results)),
      answer = compacted.answer::json, results = compacted.results::json, compacted_for = compacted.compacted_for
    from unnest(
      ${turns.map(({ turnIndex }) => turnIndex)}::integer[],
      ${turns.map(({ answer }) => JSON.stringify(answer))}::text[],
      ${turns.map(({ results }) => JSON.stringify(results))}::text[],
      ${turns.map(({ compactedFor }) => compactedFor)}::integer[]
    ) as compacted (turn_index, answer, results, compacted_for)
    where turns.run_id = ${runId} and turns.turn_index = compacted.turn_index`.execute(tx);
}

export const listTurns = (tx: Database, runId: string): Promise<Row<'turns'>[]> =>
  listRows(tx, 'turns', { run_id: runId }, { by: ['turn_index'] });

/** Contents by path; null: deleted. */
type Writes = ReadonlyMap<string, Uint8Array | null>;

/** Writes only the difference. */
export async function storeWrites(
  tx: Database,
  runId: string,
  { stored, writes }: { stored: Writes; writes: Writes },
): Promise<void> {
  const gone = [...stored.keys()].filter((path) => !writes.has(path));
  if (gone.length > 0)
    await tx.deleteFrom('run_files').where('run_id', '=', runId).where(sql<boolean>`path = any(${gone})`).execute();
  const changed = [...writes].filter(([path, bytes]) => !stored.has(path) || !isSame(stored.get(path), bytes));
  if (changed.length === 0) return;
  await tx
    .insertInto('run_files')
    .values(changed.map(([path, bytes]) => ({ run_id: runId, path, content: bytes && Buffer.from(bytes) })))
    .onConflict((conflict) =>
      conflict.columns(['run_id', 'path']).doUpdateSet(({ ref }) => ({ content: ref('excluded.content') })),
    )
    .execute();
}

const isSame = (one: Uint8Array | null | undefined, other: Uint8Array | null) =>
  one === other || (one && other && Buffer.compare(one, other) === 0);

/** `paths`: only these. */
export async function readWrites(
  tx: Database,
  runId: string,
  paths?: readonly string[],
): Promise<Map<string, Uint8Array | null>> {
  if (paths?.length === 0) return new Map();
  const and = paths && sql`path = any(${paths})`;
  const rows = await listRows(tx, 'run_files', { run_id: runId }, { by: ['path'], ...(and && { and }) });
  return new Map(rows.map(({ path, content }) => [path, content]));
}

/** The files that a run has changed so far, by path, without what is in them. `digest`: null for a deleted file. */
export async function listWrites(
  tx: Database,
  { runId, limit }: { runId: string; limit: number },
): Promise<{ path: string; digest: string | null; bytes: number }[]> {
  const { rows } = await sql<{ path: string; digest: string | null; bytes: number }>`
    select path, md5(content) as digest, coalesce(octet_length(content), 0) as bytes
    from run_files where run_id = ${runId} order by path limit ${limit}`.execute(tx);
  return rows;
}
