import { z } from 'zod';
import { Refusal } from '../../errors.ts';
import { pushBranch } from '../../git/push-branch.ts';
import type { RepositoryAccess } from '../../github/auth/open-access.ts';
import { sendTogether } from '../../store/postgres/database.ts';
import { updateJob } from '../../store/tables/jobs/jobs.ts';
import { type Run, updateRun } from '../../store/tables/jobs/runs.ts';
import { RunFailure } from '../failures.ts';
import type { FrozenChange } from '../publication.ts';
import { type CheckedOutRun, inMirror } from '../run-context.ts';
import { fetchBranch, findPushed, readBranchTip } from './find-pushed.ts';
import { signCommit } from './sign-commit.ts';

class TipMoved extends Error {
  /** null: somebody deleted the branch. */
  readonly tip: string | null;

  constructor(tip: string | null) {
    super(`the branch moved to ${tip ?? 'nothing'}`);
    this.tip = tip;
  }
}

type Pushed = { externalId: string };
const pushedSchema = z.object({ externalId: z.string() });

export const pushKey = ({ run_id: runId }: Run) => `${runId}:push`;

/** Pushes by compare-and-swap, never over others' commits. Where rules require signatures, GitHub makes the commit, with another SHA. */
export async function pushChange(
  context: CheckedOutRun,
  access: RepositoryAccess,
  change: FrozenChange,
): Promise<{ kind: 'pushed'; sha: string } | { kind: 'moved'; tip: string | null }> {
  const { parts, job, run, checkout, effects } = context;
  const { branch, sha, tip } = change;
  const { isSigned } = checkout.pushRules;
  try {
    const { externalId } = await effects.perform<Pushed>({
      key: pushKey(run),
      request: { branch, sha, expected: tip, ...(isSigned && { signedByGitHub: true }) },
      schema: pushedSchema,
      find: () => find(context, access, change),
      act: () => (isSigned ? sign(context, access, change) : push(context, access, change)),
      // The commit now belongs to the job, even if the run fails later.
      record: async (tx, pushed) => {
        const change = { commit_sha: pushed.externalId };
        await sendTogether(tx, (tx) => [updateJob(tx, job.job_id, { branch }), updateRun(tx, run.run_id, change)]);
      },
    });
    return { kind: 'pushed', sha: externalId };
  } catch (error) {
    if (error instanceof TipMoved) return { kind: 'moved', tip: error.tip };
    // The rules may be new: the next run reads them again.
    if (error instanceof Refusal) parts.readBranchRules.forget(checkout.repository.repositoryId);
    throw error;
  }
}

async function find(
  context: CheckedOutRun,
  { token }: RepositoryAccess,
  change: FrozenChange,
): Promise<Pushed | undefined> {
  const { branch } = change;
  const tip = await readBranchTip(context, { token, branch });
  if (tip === null || tip === change.tip) return undefined;
  await using mirror = await fetchBranch(context, { token, branch });
  const sha = await findPushed(context, { change, mirror, tip });
  return sha === undefined ? undefined : { externalId: sha };
}

async function push(context: CheckedOutRun, { token }: RepositoryAccess, change: FrozenChange): Promise<Pushed> {
  const { sha, branch, tip: expected } = change;
  const target = { url: context.checkout.url, token, sha, branch, expected };
  const result = await pushBranch({ ...inMirror(context, context.signals.publish), ...target });
  if (result.kind === 'moved') throw new TipMoved(result.tip);
  if (result.kind === 'refused') throw refused(branch, result.reason);
  return { externalId: sha };
}

async function sign(context: CheckedOutRun, access: RepositoryAccess, change: FrozenChange): Promise<Pushed> {
  const result = await signCommit(context, access, change);
  if (result.kind === 'made') return { externalId: result.sha };
  throw new TipMoved(await readBranchTip(context, { token: access.token, branch: change.branch }));
}

const refused = (branch: string, reason: string) =>
  new RunFailure(
    'push_refused',
    `GitHub refused the push to ${branch}: “${reason}”. If a branch rule is the cause, exempt pagewright/** from it or let the App bypass it. Then send the instruction again.`,
  );
