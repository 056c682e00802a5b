import type { Conversation } from '../../store/tables/columns.ts';

/** Why a pull request cannot be documented on its branch; undefined: it can, or it is merged. */
export function findRefusal(
  { state, merged, headRepositoryId }: { state: 'open' | 'closed'; merged: boolean; headRepositoryId: number | null },
  { repositoryId }: { repositoryId: number },
): Conversation['refusal'] {
  if (merged) return undefined;
  if (state === 'closed')
    return {
      code: 'pull_request_closed',
      sentence: 'This pull request is closed, so there is nothing to document. Reopen it, then ask again.',
    };
  if (headRepositoryId === repositoryId) return undefined;
  return {
    code: 'from_fork',
    sentence:
      'This pull request comes from a fork, and Pagewright can only change branches of this repository. Push its branch to this repository and ask there, or ask here again after it is merged.',
  };
}
