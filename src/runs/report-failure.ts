import { LeaseLost } from '../errors.ts';
import { judgeError } from './judge-error.ts';
import { leaveComment } from './leave-comment.ts';
import { openAccess } from './open-site.ts';
import { writeComment } from './pull-request-text.ts';
import type { HeldRun, RunParts } from './run-parts.ts';

/**
 * Tells the people at the job's pull request that a run on it failed or was stopped: a run there is not to end unheard. Best
 * effort: what is in the way of the run may be in the way of this as well. Never throws.
 */
export async function reportFailure(
  parts: RunParts,
  { lease, job, run, held, error }: HeldRun & { held: { lost: AbortSignal }; error: unknown },
): Promise<void> {
  const judgement = judgeError(error);
  const number = job.pull_request_number;
  if (judgement.kind !== 'end' || number === null) return;
  const signal = held.lost;
  try {
    await using access = await openAccess(parts, { job, permissions: { pull_requests: 'write' }, signal });
    const body = writeComment({ summary: judgement.sentence, commitUrl: undefined, runId: run.run_id });
    await leaveComment(parts, { lease, run, client: access.client, number, body, signal });
  } catch (failed) {
    if (failed instanceof LeaseLost) return;
    parts.log.warn({ err: failed, runId: run.run_id }, 'a failure could not be told on the pull request');
  }
}
