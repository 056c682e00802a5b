import { z } from 'zod';
import { Refusal } from '../../errors.ts';
import { pushBranch } from '../../git/push-branch.ts';
import { readTip } from '../../git/remote.ts';
import { updateJob } from '../../store/tables/jobs.ts';
import { type Run, updateRun } from '../../store/tables/runs.ts';
import { RunFailure } from '../failures.ts';
import { performEffect } from '../perform-effect.ts';
import type { RunParts } from '../run-parts.ts';
import { fetchBranch, findPushed, type PushGiven } from './find-pushed.ts';
import { signCommit } from './sign-commit.ts';

/** Somebody else moved the branch between our looking and our pushing; null: it was deleted. */
class TipMoved extends Error {
  readonly tip: string | null;

  constructor(tip: string | null) {
    super(`the branch moved to ${tip ?? 'nothing'}`);
    this.tip = tip;
  }
}

type Pushed = { externalId: string };
const pushedSchema = z.object({ externalId: z.string() });

export const pushKey = ({ run_id }: Pick<Run, 'run_id'>) => `${run_id}:push`;

/**
 * Pushes the frozen commit by compare-and-swap: never over anybody's work. Where commits have to be signed, GitHub makes it instead, and
 * it has a SHA of its own. Says where the tip is when that is somewhere else.
 */
export async function pushChange(
  parts: RunParts,
  given: PushGiven,
): Promise<{ kind: 'pushed'; sha: string } | { kind: 'moved'; tip: string | null }> {
  const { job, run, site, change } = given;
  const { branch, sha, tip } = change;
  const { isSigned } = site.verdict;
  try {
    const { externalId } = await performEffect<Pushed>(parts, given, {
      key: pushKey(run),
      request: { branch, sha, expected: tip, ...(isSigned && { signedByGitHub: true }) },
      schema: pushedSchema,
      find: () => find(parts, given),
      act: () => (isSigned ? sign(parts, given) : push(parts, given)),
      // The commit belongs to the job from now on, whatever becomes of the rest of the run.
      record: async (tx, pushed) => {
        await updateJob(tx, job.job_id, { branch });
        await updateRun(tx, run.run_id, { commit_sha: pushed.externalId });
      },
    });
    return { kind: 'pushed', sha: externalId };
  } catch (error) {
    if (error instanceof TipMoved) return { kind: 'moved', tip: error.tip };
    // The rules may be new: whoever asks again is not to be judged by the old ones.
    if (error instanceof Refusal) parts.readBranchRules.forget(site.repository.repositoryId);
    throw error;
  }
}

async function find(parts: RunParts, given: PushGiven): Promise<Pushed | undefined> {
  const { site, change, token, signal } = given;
  const tip = await readTip({ git: parts.git, url: site.url, token, branch: change.branch, signal });
  if (tip === null || tip === change.tip) return undefined;
  await using mirror = await fetchBranch(parts, given);
  const sha = await findPushed(parts, { ...given, mirror, tip });
  return sha === undefined ? undefined : { externalId: sha };
}

async function push({ git }: RunParts, { site, change, token, signal }: PushGiven): Promise<Pushed> {
  const { sha, branch, tip: expected } = change;
  const { mirror, url } = site;
  const result = await pushBranch({ git, gitDir: mirror.directory, url, token, sha, branch, expected, signal });
  if (result.kind === 'moved') throw new TipMoved(result.tip);
  if (result.kind === 'refused') throw refused(branch, result.reason);
  return { externalId: sha };
}

async function sign(parts: RunParts, given: PushGiven): Promise<Pushed> {
  const result = await signCommit(parts, given);
  if (result.kind === 'made') return { externalId: result.sha };
  const { site, change, token, signal } = given;
  throw new TipMoved(await readTip({ git: parts.git, url: site.url, token, branch: change.branch, signal }));
}

const refused = (branch: string, reason: string) =>
  new RunFailure(
    'push_refused',
    `GitHub refused the push to ${branch}: “${reason}”. If a branch rule is the cause, exempt pagewright/** from it or let the App bypass it. Then send the instruction again.`,
  );
