import { waitingFeatures } from '../../config/app-manifest.ts';
import type { Git } from '../../git/git.ts';
import { type Remote, readBranches } from '../../git/remote.ts';
import { neededPermissions } from '../../github/auth/describe-installations.ts';
import { findMintRefusal } from '../../github/auth/mint-token.ts';
import { findMissingPermissions } from '../../github/auth/permissions.ts';
import type { Installation } from '../../github/calls/installation.ts';
import type { Repository } from '../../github/calls/repository.ts';
import { inLease } from '../../store/schedule/lease.ts';
import { addRunWarning } from '../../store/tables/jobs/runs.ts';
import { RunFailure } from '../failures.ts';
import { branchFolder } from '../name-branch.ts';
import type { RunContext } from '../run-context.ts';
import { publishingPermissions } from './job-access.ts';
import type { RemoteRepository } from './open-remote.ts';

/** Before the first run of a job: later ones have published. Throws what publishing would throw, before any model call. */
export async function assertPublishable(context: RunContext, remote: RemoteRepository): Promise<void> {
  const { parts, job, run, signals } = context;
  if (job.pull_request_number !== null || run.base_sha !== null) return;
  await assertPermitted(context, remote.repository);
  await requireFreeName(parts.git, remote, signals.work);
}

/** A read token does not show whether the installation grants the permissions for publishing. */
async function assertPermitted({ parts, lease, run, signals }: RunContext, repository: Repository): Promise<void> {
  const installation = await parts.github.findInstallationOf(repository, signals.work);
  const needed = { permissions: publishingPermissions, repositoryId: undefined, cause: undefined };
  const failure = installation && findMintRefusal({ installation, ...needed });
  if (failure) throw failure;
  const waiting = installation && describeWaiting(installation);
  if (waiting !== undefined) await inLease(parts.database, lease, (tx) => addRunWarning(tx, run.run_id, waiting));
}

/** What waits until an owner accepts permissions that the App did not always ask for. All else works. */
export function describeWaiting({ account, permissions }: Installation): string | undefined {
  const waiting = findMissingPermissions(neededPermissions, permissions).flatMap((missing) => {
    const feature = waitingFeatures[missing.split('=', 1)[0] ?? ''];
    return feature === undefined ? [] : [`\`${missing.replace('=', ': ')}\` (${feature})`];
  });
  if (waiting.length === 0) return undefined;
  return `${account} does not grant these permissions yet, and what needs them waits: ${waiting.join(', ')}. An owner accepts them in the settings of the installation on GitHub.`;
}

/** git keeps a branch in a file of its name, so none can lie below another one. Throws `RunFailure` `branch_in_the_way`. */
async function requireFreeName(git: Git, remote: Remote, signal: AbortSignal): Promise<void> {
  const found = await readBranches({ git, remote, branches: [branchFolder], signal });
  if (!found.has(branchFolder)) return;
  throw new RunFailure(
    'branch_in_the_way',
    `The repository has a branch named ${branchFolder}, so no branch ${branchFolder}/… can be created beside it. Rename or delete that branch, then send the instruction again.`,
  );
}
