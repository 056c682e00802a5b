import { isContained } from '../../git/commits.ts';
import type { InRepository } from '../../git/git.ts';
import { splitAtNul } from '../../git/listing.ts';
import { readGit, runGit } from '../../git/run-git.ts';

interface TipAndBase extends InRepository {
  tip: string;
  base: string;
}

type MergeOutlook =
  | { kind: 'contained' }
  | { kind: 'clean' }
  /** In path order, with paths that one side removed or moved. */
  | { kind: 'conflict'; paths: string[] }
  | { kind: 'unrelated' };

/** Predicts a merge of the base into the branch. Changes nothing. */
export async function findMergeConflicts({ tip, base, ...at }: TipAndBase): Promise<MergeOutlook> {
  if (await isContained({ ...at, sha: base, tip })) return { kind: 'contained' };
  if (!(await areRelated(at, [tip, base]))) return { kind: 'unrelated' };
  const { stages } = await mergeTrees({ ...at, ours: tip, theirs: base });
  const paths = stages.map(({ path }) => stripSide(path, { tip, base }));
  return paths.length === 0 ? { kind: 'clean' } : { kind: 'conflict', paths: [...new Set(paths)].toSorted() };
}

/**
 * Whether merging the base would add a commit that touches a workflow. GitHub rejects such a push by an App without the `workflows`
 * permission, even if the commit is already in the repository.
 * https://docs.github.com/en/rest/authentication/permissions-required-for-github-apps, https://github.com/chdsbd/kodiak/issues/853
 */
export async function carriesWorkflows({ tip, base, ...at }: TipAndBase): Promise<boolean> {
  // --full-history includes changes that were reverted before their branch was merged.
  const args = ['rev-list', '--full-history', '-1', base, `^${tip}`, '--', '.github/workflows'];
  return (await readGit(at, args)) !== '';
}

/** One version of a conflicting path. 1: common ancestor, 2: ours, 3: theirs. */
export interface Stage {
  path: string;
  stage: 1 | 2 | 3;
  mode: string;
  sha: string;
}

export interface MergedTrees {
  tree: string;
  stages: Stage[];
}

/** git appends `~` and a commit's SHA to a path that conflicts. https://git-scm.com/docs/git-merge-tree */
export async function mergeTrees(options: InRepository & { ours: string; theirs: string }): Promise<MergedTrees> {
  const { ours, theirs, ...at } = options;
  const args = ['merge-tree', '--write-tree', '-z', '--no-messages', ours, theirs];
  const { stdout } = await runGit(at, args, { okCodes: [0, 1] });
  const [tree = '', ...lines] = Array.from(splitAtNul(stdout), String);
  return { tree, stages: lines.flatMap(parseStage) };
}

function parseStage(line: string): Stage[] {
  const [, mode = '', sha = '', stage, path = ''] = /^(\d+) ([0-9a-f]+) ([123])\t(.*)$/s.exec(line) ?? [];
  return stage === undefined ? [] : [{ path, mode, sha, stage: stage === '1' ? 1 : stage === '2' ? 2 : 3 }];
}

export async function areRelated(at: InRepository, [a, b]: readonly [string, string]): Promise<boolean> {
  return (await runGit(at, ['merge-base', a, b], { okCodes: [0, 1] })).code === 0;
}

/** The names of the two sides in conflict markers and in renamed paths. */
export const sideNames = { tip: 'branch', base: 'base' } as const;

/** The original path of a file that git renamed because of a conflict. */
export const stripSide = (path: string, { tip, base }: { tip: string; base: string }): string =>
  path.replace(new RegExp(`~(?:${tip}|${base})$`), '');
