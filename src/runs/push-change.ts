import { z } from 'zod';
import { RunFailure } from '../errors.ts';
import { updateJob } from '../store/jobs.ts';
import { updateRun } from '../store/runs.ts';
import { isContained } from '../workspace/commits.ts';
import { pushBranch } from '../workspace/push-branch.ts';
import { readTip } from '../workspace/remote.ts';
import type { RunAtSite } from './open-site.ts';
import { performEffect } from './perform-effect.ts';
import type { Change } from './publication.ts';
import type { RunParts } from './run-parts.ts';

/** Somebody else moved the branch between our looking and our pushing; null: it was deleted. */
class TipMoved extends Error {
  readonly tip: string | null;

  constructor(tip: string | null) {
    super(`the branch moved to ${tip ?? 'nothing'}`);
    this.tip = tip;
  }
}

const pushedSchema = z.object({ externalId: z.string() });

/** Pushes the frozen commit by compare-and-swap: never over anybody's work. Says where the tip is when that is somewhere else. */
export async function pushChange(
  { database, git }: RunParts,
  { lease, job, run, site, change, token, signal }: RunAtSite & { change: Change; token: string },
): Promise<{ kind: 'pushed' } | { kind: 'moved'; tip: string | null }> {
  const { branch, sha, tip } = change;
  const remote = { git, url: site.url, token, branch, signal };
  const pushed = { externalId: sha };
  try {
    await performEffect({
      database,
      lease,
      runId: run.run_id,
      key: `${run.run_id}:push`,
      request: { branch, sha, expected: tip },
      schema: pushedSchema,
      // Also when somebody has pushed on top of it since.
      async find() {
        const now = await readTip(remote);
        const isThere = now !== null && (await isContained({ git, mirror: site.mirror, sha, tip: now, signal }));
        return isThere ? pushed : undefined;
      },
      async act() {
        const result = await pushBranch({ ...remote, mirror: site.mirror, sha, expected: tip });
        if (result.kind === 'moved') throw new TipMoved(result.tip);
        if (result.kind === 'refused') {
          throw new RunFailure('push_refused', `GitHub refused the push to ${branch}: ${result.reason}`);
        }
        return pushed;
      },
      // The commit belongs to the job from now on, whatever becomes of the rest of the run.
      record: async (tx) => {
        await updateJob(tx, job.job_id, { branch });
        await updateRun(tx, run.run_id, { commit_sha: sha });
      },
      lagsMs: [],
      signal,
    });
    return { kind: 'pushed' };
  } catch (error) {
    if (error instanceof TipMoved) return { kind: 'moved', tip: error.tip };
    throw error;
  }
}
