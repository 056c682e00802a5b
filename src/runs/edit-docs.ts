import { createBudget } from '../agent/budget.ts';
import { type AgentEnd, runAgent } from '../agent/run-agent.ts';
import { RunFailure } from '../errors.ts';
import { createTools } from '../tools/create-tools.ts';
import { findConflictMarkers } from '../workspace/conflict-markers.ts';
import { describeMarkers } from '../workspace/merge-conflict.ts';
import type { RunAtSite } from './open-site.ts';
import { systemPrompt, writeContext } from './prompt.ts';
import { readContext } from './read-context.ts';
import { createRunJournal } from './run-journal.ts';
import type { RunParts } from './run-parts.ts';

/** How the work ended: as the agent says, at a limit, or in a failure that trying again would not help. */
export type WorkEnd = AgentEnd | { kind: 'failure'; code: string; sentence: string };

/** Lets the agent work in the site until it ends. All that is needed to go on after a crash is in the journal. */
export async function editDocs(parts: RunParts, { lease, job, run, site, signal }: RunAtSite): Promise<WorkEnd> {
  const { workspace, ground } = site;
  const marked = ground.conflicts.filter(({ kind }) => kind === 'content').map(({ path }) => path);
  const journal = await createRunJournal({ database: parts.database, lease, run, writes: () => workspace.writes() });
  const isFirstTurn = journal.turns.length === 0;
  const context = isFirstTurn ? [writeContext(await readContext(parts, { job, run, site }))] : [];
  const budget = createBudget({
    ...parts.limits,
    spent: { turns: journal.turns.length, tokens: run.tokens_in + run.tokens_out, activeMs: run.active_ms },
    measureChange: () => measure(workspace.writes()),
  });
  try {
    return await runAgent({
      model: parts.modelNamed(job.model),
      tools: createTools(workspace),
      instructions: systemPrompt,
      cacheKey: job.job_id,
      budget,
      journal,
      findProblems: async () => (await findConflictMarkers(workspace, marked)).map(describeMarkers),
      opening: run.notice === null ? context : [...context, run.notice],
      signal,
    });
  } catch (error) {
    if (!(error instanceof RunFailure)) throw error;
    // People are told the sentence; what the server said is for the operator alone.
    parts.log.warn({ err: error, runId: run.run_id }, 'the agent could not go on');
    return { kind: 'failure', code: error.code, sentence: error.message };
  }
}

function measure(writes: ReadonlyMap<string, Uint8Array | null>): { files: number; bytes: number } {
  let bytes = 0;
  for (const content of writes.values()) bytes += content?.byteLength ?? 0;
  return { files: writes.size, bytes };
}
