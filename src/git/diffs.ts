import type { ChangedFile, FileDiff } from '../file-diff.ts';
import type { InRepository } from './git.ts';
import { splitAtNul } from './listing.ts';
import { runGit } from './run-git.ts';

/** A missing side has mode 000000 and a zero object. */
export interface RawChange {
  path: string;
  oldMode: string;
  newMode: string;
  oldSha: string;
  newSha: string;
}

interface RawDiff {
  /** Every path that differs, in order; a rename has both names. */
  changes: RawChange[];
  /** A rename counts once. */
  changedFiles: number;
}

/** `from` and `to` are SHAs. */
export async function readRawDiff({ from, to, ...at }: InRepository & { from: string; to: string }): Promise<RawDiff> {
  const { stdout } = await runGit(at, ['diff-tree', '-r', '-z', '-M', '--raw', from, to, '--'], { isLasting: true });
  const fields = Array.from(splitAtNul(stdout), String)[Symbol.iterator]();
  const changes: RawChange[] = [];
  let changedFiles = 0;
  for (const field of fields) {
    const [oldMode = '', newMode = '', oldSha = '', newSha = '', status = ''] = field.slice(1).split(' ');
    const path = String(fields.next().value);
    changedFiles += 1;
    if (!status.startsWith('R')) {
      changes.push({ path, oldMode, newMode, oldSha, newSha });
      continue;
    }
    const nothing = { mode: '000000', sha: '0'.repeat(oldSha.length) };
    changes.push({ path, oldMode, oldSha, newMode: nothing.mode, newSha: nothing.sha });
    const newPath = String(fields.next().value);
    changes.push({ path: newPath, oldMode: nothing.mode, oldSha: nothing.sha, newMode, newSha });
  }
  return {
    changes: changes.toSorted((a, b) => Buffer.compare(Buffer.from(a.path), Buffer.from(b.path))),
    changedFiles,
  };
}

/** By the same command as `readRawDiff`: git runs once for both. */
export async function listChangedPaths(commits: InRepository & { from: string; to: string }): Promise<string[]> {
  return (await readRawDiff(commits)).changes.map(({ path }) => path);
}

export const isAbsent = (mode: string): boolean => mode === '000000';

/** Executable or not. Old histories have 100664. */
export const isPlain = (mode: string): boolean => /^100(644|755|664)$/.test(mode);

const statuses: Record<string, FileDiff['status']> = {
  A: 'added',
  D: 'removed',
  R: 'renamed',
  C: 'copied',
  T: 'changed',
};

/** `from` and `to` are SHAs. Patches beyond `maxBytes` are left out. */
export async function readFileDiffs(
  request: InRepository & { from: string; to: string; maxBytes: number },
): Promise<FileDiff[]> {
  const { from, to, maxBytes, ...at } = request;
  const diff = async (options: string[], more: { maxOutputBytes?: number; onLongOutput?: 'truncate' } = {}) =>
    runGit(at, ['diff-tree', '-r', '-M', '--no-color', '--no-ext-diff', '--no-textconv', ...options, from, to, '--'], {
      isLasting: true,
      ...more,
    });
  const [raw, numbers, patches] = await Promise.all([
    diff(['--raw', '-z']),
    diff(['--numstat', '-z']),
    diff(['--patch'], { maxOutputBytes: maxBytes, onLongOutput: 'truncate' }),
  ]);
  const files = parseRaw(Array.from(splitAtNul(raw.stdout), String));
  const counts = parseNumstat(Array.from(splitAtNul(numbers.stdout), String));
  const texts = patches.stdout
    .toString()
    .split(/^diff --git .*\n/m)
    .slice(1)
    .map(cutHeader);
  // The last one may be cut.
  const whole = patches.truncated ? texts.slice(0, -1) : texts;
  return files.map((file, index) => ({
    ...file,
    ...(counts[index] ?? { additions: 0, deletions: 0 }),
    patch: whole[index] ?? null,
  }));
}

function cutHeader(patch: string): string | null {
  const start = patch.search(/^@@ /m);
  return start < 0 ? null : patch.slice(start).replace(/\n$/, '');
}

function parseRaw(fields: string[]): ChangedFile[] {
  const files: ChangedFile[] = [];
  for (let index = 0; index + 1 < fields.length; index += 2) {
    const letter = (fields[index] ?? '').split(' ')[4]?.charAt(0) ?? '';
    const hasTwo = letter === 'R' || letter === 'C';
    const first = fields[index + 1] ?? '';
    if (hasTwo) index += 1;
    const path = hasTwo ? (fields[index + 1] ?? '') : first;
    files.push({ path, previousPath: hasTwo ? first : null, status: statuses[letter] ?? 'modified' });
  }
  return files;
}

/** `-` stands for a binary file; a renamed file has an empty path, then its two names. */
function parseNumstat(fields: string[]): { additions: number; deletions: number }[] {
  const counts: { additions: number; deletions: number }[] = [];
  for (let index = 0; index < fields.length; index += 1) {
    const [added = '', deleted = '', path = ''] = (fields[index] ?? '').split('\t');
    if (path === '') index += 2;
    counts.push({ additions: Number(added) || 0, deletions: Number(deleted) || 0 });
  }
  return counts;
}
