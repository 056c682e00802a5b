import type { InRepository } from './git.ts';
import { splitAtNul } from './listing.ts';

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
export async function readRawDiff(options: InRepository & { from: string; to: string }): Promise<RawDiff> {
  const { git, gitDir, from, to, signal } = options;
  const args = ['diff-tree', '-r', '-z', '-M', '--raw', from, to, '--'];
  const { stdout } = await git(args, { signal, gitDir, isLasting: true });
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
