import type { Diff } from '../../../../diffs/bound-diff.ts';
import type { ReadDiff } from '../../../../diffs/read-diff.ts';
import { askGitHub } from '../../../../projects/ask-github.ts';
import type { Job } from '../../../../store/tables/jobs/jobs.ts';
import type { Project } from '../../../../store/tables/repositories/projects.ts';

/** `none`: there is no pull request. `unknown`: GitHub did not answer, and the sentence says so. */
export type FoundChanges = { kind: 'none' } | { kind: 'diff'; diff: Diff } | { kind: 'unknown'; sentence: string };

/** Then the page shows everything else. */
const maxWaitMs = 3_000;

/** Does not throw for failures of GitHub. */
export async function readChanges(
  readDiff: ReadDiff,
  { project, job }: { project: Project; job: Job },
): Promise<FoundChanges> {
  if (job.pull_request_number === null) return { kind: 'none' };
  const signal = AbortSignal.timeout(maxWaitMs);
  try {
    const asked = await askGitHub(() => readDiff({ project, job, signal }));
    if (asked.kind === 'answered') return { kind: 'diff', diff: asked.result };
    if (asked.kind === 'refused') return { kind: 'unknown', sentence: asked.message };
  } catch (error) {
    if (!signal.aborted) throw error;
  }
  return { kind: 'unknown', sentence: 'GitHub did not return the change. Reload this page in a moment.' };
}
