import { ApiError } from '../api/api-error.ts';
import { findChangedWorkflow, findViolations, refuseWorkflow } from '../rules/inspect-change.ts';
import type { Account } from '../state/account.ts';
import { hasPermission, type Permissions } from '../state/permissions.ts';
import type { Repository } from '../state/world.ts';
import { announceRefUpdate, type RefUpdate } from './announce-ref-update.ts';
import { moveRef } from './merge-commits.ts';
import { zeroSha } from './read-git.ts';
import { GitError, runGit } from './run-git.ts';

/**
 * Moves a ref for the API, with the events of a push. Throws `ApiError` 422 for a broken rule and for a ref that cannot be moved (it
 * moved meanwhile, or conflicts with the name of another), 403 for a workflow without the permission.
 */
export async function updateRef(
  repository: Repository,
  update: RefUpdate,
  { sender, permissions }: { sender: Account; permissions: Permissions },
): Promise<void> {
  const { directory } = repository;
  const { ref, before, after } = update;
  const reasons = await findViolations(repository, update);
  if (reasons.length > 0) throw new ApiError(422, describeViolations(reasons));
  const workflow = hasPermission(permissions, 'workflows', 'write')
    ? undefined
    : await findChangedWorkflow(directory, update);
  if (workflow !== undefined) throw new ApiError(403, refuseWorkflow(workflow));
  try {
    if (after === zeroSha) await runGit(directory, ['update-ref', '-d', ref, before]);
    else await moveRef(directory, ref, after, before);
  } catch (error) {
    if (error instanceof GitError) throw new ApiError(422, 'Reference update failed');
    throw error;
  }
  await announceRefUpdate(repository, update, sender);
}

const describeViolations = (reasons: string[]): string =>
  `Repository rule violations found\n\n${reasons.map((reason) => `${reason}\n\n`).join('')}`;
