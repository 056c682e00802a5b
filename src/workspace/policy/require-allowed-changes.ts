import { checkPath } from '../../git/check-path.ts';
import { isAbsent, isPlain, type RawChange, readRawDiff } from '../../git/diffs.ts';
import type { InRepository } from '../../git/git.ts';
import { WorkspaceRefusal } from '../workspace-refusal.ts';
import { createWriteCheck, type WriteRules } from './write-rules.ts';

interface Between extends InRepository {
  /** `from` and `to` are commits or trees. */
  from: string;
  to: string;
}

/** Checks a change before a push. Tools refuse such paths one by one, so `WorkspaceRefusal` here means a bug or an attack. */
export async function requireAllowedChanges({
  rules = {},
  expected,
  ...between
}: Between & { rules?: WriteRules | undefined; expected?: { has(path: string): boolean } }): Promise<void> {
  const checkWrite = createWriteCheck(rules);
  const changes = await readRawDiff(between);
  const sizes = rules.forbid?.maxFileBytes === undefined ? undefined : await readSizes(between, changes);
  const isAllowed = ({ path, oldMode, newMode, newSha }: RawChange): boolean => {
    const checked = checkPath(path);
    const bytes = isAbsent(newMode) ? null : (sizes?.get(newSha) ?? 0);
    return (
      [oldMode, newMode].every((mode) => isAbsent(mode) || isPlain(mode)) &&
      checked.kind === 'path' &&
      checked.path === path &&
      (expected === undefined || expected.has(path)) &&
      checkWrite(path, bytes) === undefined
    );
  };
  const forbidden = changes.filter((change) => !isAllowed(change)).map(({ path }) => path);
  if (forbidden.length > 0) {
    throw new WorkspaceRefusal({ reason: 'protected_paths', paths: forbidden });
  }
}

/** The sizes of the new blobs, by SHA. */
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
