import { findMergeBase } from '../git/commits.ts';
import { listChangedPaths } from '../git/diffs.ts';
import type { InRepository } from '../git/git.ts';
import { readBaseFiles } from './base-files.ts';
import { createFindPlace } from './places/find-place.ts';
import { readLayout } from './places/read-layout.ts';

/** The changed files that may be written only because the settings name them in `also`. `base`: the tip of the branch that the change is for. */
export async function listOpened({
  base,
  sha,
  from: known,
  also = [],
  ...repository
}: InRepository & {
  base: string;
  sha: string;
  /** Their merge base, where it is known. */
  from?: string | undefined;
  also?: readonly string[] | undefined;
}): Promise<string[]> {
  if (also.length === 0) return [];
  const from = known ?? (await findMergeBase({ ...repository, commits: [base, sha] })) ?? base;
  const findPlace = createFindPlace(await readLayout(await readBaseFiles({ ...repository, sha: from })), also);
  const changed = await listChangedPaths({ ...repository, from, to: sha });
  return changed.filter((path) => findPlace(path).kind === 'opened');
}
