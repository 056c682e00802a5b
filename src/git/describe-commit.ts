import { isAbsent, isPlain, type RawChange, readRawDiff } from './diffs.ts';
import { type InRepository, runGit } from './git.ts';

/** The input of GitHub's `createCommitOnBranch`, and the changes that it cannot make. */
interface DescribedCommit {
  additions: { path: string; content: Uint8Array }[];
  deletions: string[];
  /** `reason` completes a sentence, like "it is executable". */
  unsupported: { path: string; reason: string }[];
}

/** GitHub's limit: https://docs.github.com/en/repositories/working-with-files/managing-large-files/about-large-files-on-github */
const maxFileBytes = 100 * 1024 ** 2;

/** In path order; a rename is a deletion and an addition. The API writes only plain, non-executable files, but deletes executables too.
 * https://docs.github.com/en/graphql/reference/mutations#createcommitonbranch */
export async function describeCommit(options: InRepository & { from: string; to: string }): Promise<DescribedCommit> {
  const described: DescribedCommit = { additions: [], deletions: [], unsupported: [] };
  const { changes } = await readRawDiff(options);
  for (const change of changes) {
    const { path } = change;
    const reason = findUnsupported(change);
    if (reason !== undefined) {
      described.unsupported.push({ path, reason });
    } else if (isAbsent(change.newMode)) {
      described.deletions.push(path);
    } else {
      const blob = await runGit(options, ['cat-file', 'blob', change.newSha], { maxOutputBytes: maxFileBytes });
      described.additions.push({ path, content: blob.stdout });
    }
  }
  return described;
}

function findUnsupported({ path, oldMode, newMode }: RawChange): string | undefined {
  const modes = [oldMode, newMode];
  if (modes.includes('120000')) return 'it is a symbolic link';
  if (modes.includes('160000')) return 'it is a submodule';
  if (path.includes('\uFFFD')) return 'its name is not valid UTF-8';
  if (!modes.every((mode) => isAbsent(mode) || isPlain(mode))) return 'it is not a plain file';
  return modes.includes('100755') && !isAbsent(newMode) ? 'it is executable' : undefined;
}
