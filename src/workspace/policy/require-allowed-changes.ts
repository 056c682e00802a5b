import { isAbsent, isPlain, type RawChange, readRawDiff } from '../../git/diffs.ts';
import type { InRepository } from '../../git/git.ts';
import { checkPath } from '../../git/paths.ts';
import { WorkspaceRefusal } from '../workspace-refusal.ts';
import { createWriteCheck, type WriteRules } from './write-rules.ts';

interface Between extends InRepository {
  /** Commits or trees. */
  from: string;
  to: string;
}

/**
 * The last look at a change before it leaves: throws `WorkspaceRefusal` with `protected_paths` when it touches a symbolic link, a submodule, a
 * protected path, a path outside `expected`, or what the rules do not let anybody write. By then this means a fault of ours or an attack,
 * never the model's mistake: tools refuse such paths one by one.
 */
export async function requireAllowedChanges({
  rules = {},
  expected,
  ...between
}: Between & { rules?: WriteRules | undefined; expected?: { has(path: string): boolean } }): Promise<void> {
  const judge = createWriteCheck(rules);
  const changes = await readRawDiff(between);
  const sizes = rules.forbid?.maxFileBytes === undefined ? undefined : await readSizes(between, changes);
  const isAllowed = ({ path, oldMode, newMode, newSha }: RawChange): boolean => {
    const judged = checkPath(path);
    const bytes = isAbsent(newMode) ? null : (sizes?.get(newSha) ?? 0);
    return (
      [oldMode, newMode].every((mode) => isAbsent(mode) || isPlain(mode)) &&
      judged.kind === 'path' &&
      judged.path === path &&
      (expected === undefined || expected.has(path)) &&
      judge(path, bytes) === undefined
    );
  };
  const forbidden = changes.filter((change) => !isAllowed(change)).map(({ path }) => path);
  if (forbidden.length > 0) {
    throw new WorkspaceRefusal({ reason: 'protected_paths', paths: forbidden });
  }
}

/** The bytes of the files that are there afterwards, by object. */
async function readSizes(
  { git, gitDir, signal }: Between,
  changes: readonly RawChange[],
): Promise<Map<string, number>> {
  const shas = changes.filter(({ newMode }) => isPlain(newMode)).map(({ newSha }) => `${newSha}\n`);
  const { stdout } = await git(['cat-file', '--batch-check=%(objectname) %(objectsize)'], {
    signal,
    gitDir,
    stdin: shas.join(''),
  });
  const lines = stdout.toString().split('\n');
  return new Map(lines.map((line) => line.split(' ')).map(([sha = '', size]) => [sha, Number(size)]));
}
