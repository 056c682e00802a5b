import type { Request } from 'express';
import { isId } from '../../../../ids.ts';
import { listShownTurns, type ShownTurn } from '../../../../jobs/list-shown-turns.ts';
import type { Database } from '../../../../store/postgres/database.ts';
import { findRun, type Run } from '../../../../store/tables/jobs/runs.ts';
import { pageNotFound } from '../../frame/page-refusal.ts';

const turnsPerPage = 50;

export interface RunTurns {
  run: Run;
  /** Oldest first. */
  turns: ShownTurn[];
  next: number | null;
}

/** A page of the turns of one run of the job. */
export async function readRunTurns(
  database: Database,
  { jobId, request, redact }: { jobId: string; request: Request; redact: (text: string) => string },
): Promise<RunTurns> {
  const runId = String(request.params.runId);
  const run = isId('run', runId) ? await findRun(database, runId) : undefined;
  if (run?.job_id !== jobId) throw pageNotFound();
  const { after } = request.query;
  const position = typeof after === 'string' && /^\d{1,9}$/.test(after) ? { after: Number(after) } : {};
  const { items, next } = await listShownTurns(database, { runId, redact }, { limit: turnsPerPage, ...position });
  return { run, turns: items.toReversed(), next };
}
