import { isWrittenPage } from '../docs/page-extensions.ts';
import { findMergeBase } from '../git/commits.ts';
import { listChangedPaths } from '../git/diffs.ts';
import type { InRepository } from '../git/git.ts';
import { readBaseFiles } from './base-files.ts';
import { createFindPlace } from './places/find-place.ts';
import { findIncludedFiles } from './places/included-files.ts';
import { readLayout } from './places/read-layout.ts';

/** The changed files that may be written only because the settings name them in `also`, or pages include them. `base`: the tip of the branch that the change is for. */
export async function listOpened(
  options: InRepository & {
    base: string;
    sha: string;
    /** Their merge base, where it is known. */
    from?: string | undefined;
    also?: readonly string[] | undefined;
  },
): Promise<string[]> {
  const { base, sha, from: known, also = [], ...repository } = options;
  const from = known ?? (await findMergeBase({ ...repository, commits: [base, sha] })) ?? base;
  const changed = (await listChangedPaths({ ...repository, from, to: sha })).filter((path) => !isWrittenPage(path));
  if (changed.length === 0) return [];
  const files = await readBaseFiles({ ...repository, sha: from });
  const included = await findIncludedFiles(files);
  const findPlace = createFindPlace(await readLayout(files), also, { included, files: files.files });
  return changed.filter((path) => findPlace(path).kind === 'opened');
}
