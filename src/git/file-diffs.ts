import type { ChangedFile, FileDiff } from '../file-diff.ts';
import type { InRepository } from './git.ts';
import { splitAtNul } from './listing.ts';

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
  const { git, gitDir, from, to, maxBytes, signal } = request;
  const diff = async (options: string[], more: { maxOutputBytes?: number; onLongOutput?: 'truncate' } = {}) =>
    git(['diff-tree', '-r', '-M', '--no-color', '--no-ext-diff', '--no-textconv', ...options, from, to, '--'], {
      signal,
      gitDir,
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
