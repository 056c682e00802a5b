import type { InRepository } from '../../git/git.ts';
import { splitAtNul } from '../../git/listing.ts';

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
  const { git, gitDir, ours, theirs, signal } = options;
  const { stdout } = await git(['merge-tree', '--write-tree', '-z', '--no-messages', ours, theirs], {
    signal,
    gitDir,
    okCodes: [0, 1],
  });
  const [tree = '', ...lines] = Array.from(splitAtNul(stdout), String);
  return { tree, stages: lines.flatMap(parseStage) };
}

function parseStage(line: string): Stage[] {
  const [, mode = '', sha = '', stage, path = ''] = /^(\d+) ([0-9a-f]+) ([123])\t(.*)$/s.exec(line) ?? [];
  return stage === undefined ? [] : [{ path, mode, sha, stage: stage === '1' ? 1 : stage === '2' ? 2 : 3 }];
}

export async function areRelated(options: InRepository & { commits: readonly [string, string] }): Promise<boolean> {
  const { git, gitDir, commits, signal } = options;
  const [a, b] = commits;
  const { code } = await git(['merge-base', a, b], { signal, gitDir, okCodes: [0, 1] });
  return code === 0;
}
