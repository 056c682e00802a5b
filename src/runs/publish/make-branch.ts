import { z } from 'zod';
import { readTip } from '../../git/remote.ts';
import { findEffect } from '../../store/tables/effects.ts';
import { updateJob } from '../../store/tables/jobs.ts';
import { performEffect } from '../perform-effect.ts';
import type { RunParts } from '../run-parts.ts';
import type { PushGiven } from './find-pushed.ts';

/**
 * Makes the job's branch at `sha`, for GitHub to commit onto. One that is there is left as it is: whether it is where the commit is meant
 * to go, GitHub finds out. One that was made and that somebody has deleted since is made again, which is another effect.
 */
export async function makeBranch(parts: RunParts, given: PushGiven, sha: string): Promise<void> {
  const { database, git } = parts;
  const { lease, run, site, change, client, token, signal } = given;
  const { branch } = change;
  const { jobId } = lease;
  const find = async () => {
    const tip = await readTip({ git, url: site.url, token, branch, signal });
    return tip === null ? undefined : { externalId: tip };
  };
  let key = `${run.run_id}:branch`;
  let known = await findEffect(database, { jobId, key });
  for (let count = 2; known?.state === 'done'; count += 1) {
    key = `${run.run_id}:branch:${count}`;
    known = await findEffect(database, { jobId, key });
  }
  if (!known && (await find())) return;
  await performEffect(parts, given, {
    key,
    request: { branch, sha },
    schema: z.object({ externalId: z.string() }),
    find,
    async act() {
      await client.createBranch(branch, sha);
      return { externalId: sha };
    },
    // It stays when the commit is refused: the next run has to know it, or would take what the base has more for its own work.
    record: async (tx) => void (await updateJob(tx, jobId, { branch })),
  });
}
