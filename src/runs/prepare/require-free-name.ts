import type { Git } from '../../git/git.ts';
import { type Remote, readBranches } from '../../git/remote.ts';
import { RunFailure } from '../failures.ts';
import { branchFolder } from '../name-branch.ts';

/** git keeps a branch in a file of its name, so none can lie below another one. Throws `RunFailure` `branch_in_the_way`. */
export async function requireFreeName(git: Git, remote: Remote, signal: AbortSignal): Promise<void> {
  const found = await readBranches({ git, remote, branches: [branchFolder], signal });
  if (!found.has(branchFolder)) return;
  throw new RunFailure(
    'branch_in_the_way',
    `The repository has a branch named ${branchFolder}, so no branch ${branchFolder}/… can be created beside it. Rename or delete that branch, then send the instruction again.`,
  );
}
