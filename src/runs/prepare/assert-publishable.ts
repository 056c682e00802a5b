import type { Git } from '../../git/git.ts';
import { type Remote, readBranches } from '../../git/remote.ts';
import { findMintRefusal } from '../../github/auth/mint-token.ts';
import type { Repository } from '../../github/calls/repository.ts';
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
async function assertPermitted({ parts, signals }: RunContext, repository: Repository): Promise<void> {
  const installation = await parts.github.findInstallationOf(repository, signals.work);
  const needed = { permissions: publishingPermissions, repositoryId: undefined, cause: undefined };
  const failure = installation && findMintRefusal({ installation, ...needed });
  if (failure) throw failure;
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
