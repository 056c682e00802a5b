import { createBudget } from '../../agent/budget.ts';
import type { Model, Turn } from '../../agent/model/model.ts';
import { type AgentEnd, runAgent } from '../../agent/run-agent.ts';
import { createTools } from '../../tools/create-tools.ts';
import { describeMarkers } from '../../workspace/merges/conflicts.ts';
import { findFailedEnd } from '../failures.ts';
import type { Checkout, RunAtSite } from '../prepare/open-checkout.ts';
import type { RunParts } from '../run-parts.ts';
import { findUnsolved } from './find-unsolved.ts';
import { describeUntouched, systemPrompt, writeBriefing } from './prompt.ts';
import { readContext } from './read-context.ts';
import { createRunJournal } from './run-journal.ts';

/** How the work ended: as the agent says, at a limit, or in a failure that trying again would not help. */
export type WorkEnd = AgentEnd | { kind: 'failure'; code: string; sentence: string };

/** Lets the agent work in the site until it ends. All that is needed to go on after a crash is in the journal. */
export async function editDocs(
  parts: RunParts,
  { lease, job, run, site, signal, grace }: RunAtSite & { grace: AbortSignal },
): Promise<WorkEnd> {
  const { workspace } = site;
  const journal = await createRunJournal({ ...parts, lease, run, writes: () => workspace.writes(), grace });
  const isFirstTurn = journal.turns.length === 0;
  const context = isFirstTurn ? [writeBriefing(await readContext(parts, { job, run, site }))] : [];
  const budget = createBudget({
    ...parts.limits,
    spent: { turns: journal.turns.length, tokens: run.tokens_in + run.tokens_out, activeMs: run.active_ms },
    measureChange: () => measure(workspace.writes()),
  });
  try {
    return await runAgent({
      model: askAround(parts, { job, run }),
      tools: createTools(workspace),
      instructions: systemPrompt,
      cacheKey: job.job_id,
      budget,
      journal,
      findProblems: createProblemFinder(site, journal.turns),
      opening: run.notice === null ? context : [...context, run.notice],
      signal,
      grace,
    });
  } catch (error) {
    const end = findFailedEnd(error);
    if (!end) throw error;
    // People are told the sentence; what the server said is for the operator alone.
    parts.log.warn({ err: error, runId: run.run_id }, 'the agent could not go on');
    return { kind: 'failure', ...end };
  }
}

function askAround({ takeStep, modelNamed }: RunParts, { job, run }: Pick<RunAtSite, 'job' | 'run'>): Model {
  const model = modelNamed(job.model);
  // Whether it is back is told by one request: more would hold the slot, and may each be paid for.
  let next = run.model_down_since === null ? model : modelNamed(job.model, { attempts: 1 });
  return {
    respond: (...asked) =>
      takeStep({ step: 'ask model', jobId: job.job_id }, async () => {
        const answer = await next.respond(...asked);
        next = model;
        return answer;
      }),
  };
}

/** Markers are named as long as they are there; what was left at one version once, because that may be what the agent means. */
function createProblemFinder(site: Checkout, turns: readonly Turn[]): () => Promise<string[]> {
  const told = turns.flatMap(({ inputs, results }) => [...inputs, ...(results ?? []).map(({ output }) => output)]);
  return async () => {
    const { marked, untouched } = await findUnsolved(site);
    const fresh = untouched.map(describeUntouched).filter((problem) => !told.some((text) => text.includes(problem)));
    told.push(...fresh);
    return [...marked.map(describeMarkers), ...fresh];
  };
}

function measure(writes: ReadonlyMap<string, Uint8Array | null>): { files: number; bytes: number } {
  let bytes = 0;
  for (const content of writes.values()) bytes += content?.byteLength ?? 0;
  return { files: writes.size, bytes };
}
