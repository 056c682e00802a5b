import { runPureGit } from './run-pure-git.ts';

export interface FileChange {
  path: string;
  previousPath: string | null;
  status: 'added' | 'removed' | 'modified' | 'renamed' | 'changed';
  blobSha: string;
  additions: number;
  deletions: number;
  /** The hunks as GitHub shows them, without git's header lines; null for binary files. */
  patch: string | null;
}

const statuses: Record<string, FileChange['status']> = {
  A: 'added',
  D: 'removed',
  M: 'modified',
  R: 'renamed',
  T: 'changed',
};

export async function diffCommits(directory: string, base: string, head: string): Promise<FileChange[]> {
  const diff = (...options: string[]) =>
    runPureGit(
      directory,
      ['diff', '--no-color', '--no-ext-diff', '--find-renames', ...options, base, head],
      [base, head],
    );
  const [raw, numbers, patches] = await Promise.all([
    diff('--raw', '-z', '--abbrev=40'),
    diff('--numstat', '-z'),
    diff('--patch'),
  ]);
  const counts = parseNumstat(numbers);
  const hunks = patches
    .split(/^diff --git .*\n/m)
    .slice(1)
    .map(stripHeader);
  return parseRaw(raw).map((file, index) => {
    const { additions, deletions } = counts[index] ?? { additions: 0, deletions: 0 };
    return { ...file, additions, deletions, patch: hunks[index] ?? null };
  });
}

/** The sums that a pull request shows without its file list. */
export async function countChanges(directory: string, base: string, head: string) {
  const args = ['diff', '--find-renames', '--numstat', '-z', base, head];
  const files = parseNumstat(await runPureGit(directory, args, [base, head]));
  return {
    additions: files.reduce((sum, file) => sum + file.additions, 0),
    deletions: files.reduce((sum, file) => sum + file.deletions, 0),
    changedFiles: files.length,
  };
}

function stripHeader(patch: string): string | null {
  const start = patch.search(/^@@ /m);
  return start < 0 ? null : patch.slice(start).replace(/\n$/, '');
}

function parseRaw(raw: string) {
  const fields = raw.split('\0');
  const files: Pick<FileChange, 'path' | 'previousPath' | 'status' | 'blobSha'>[] = [];
  while ((fields[0] ?? '') !== '') {
    const [, , before = '', after = '', letter = ''] = (fields.shift() ?? '').split(' ');
    const first = fields.shift() ?? '';
    const renamed = letter.startsWith('R');
    files.push({
      path: renamed ? (fields.shift() ?? '') : first,
      previousPath: renamed ? first : null,
      status: statuses[letter.charAt(0)] ?? 'modified',
      blobSha: letter === 'D' ? before : after,
    });
  }
  return files;
}

/** `-` stands for a binary file; a renamed file has an empty path followed by its two names. */
function parseNumstat(output: string) {
  const fields = output.split('\0');
  const files: { additions: number; deletions: number }[] = [];
  while ((fields[0] ?? '') !== '') {
    const [added = '', deleted = '', path = ''] = (fields.shift() ?? '').split('\t');
    if (path === '') fields.splice(0, 2);
    files.push({ additions: Number(added) || 0, deletions: Number(deleted) || 0 });
  }
  return files;
}
