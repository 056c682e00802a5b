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

/** Every path that differs, in order; a rename has both names. */
export async function readRawDiff({
  git,
  gitDir,
  from,
  to,
  signal,
}: InRepository & { from: string; to: string }): Promise<RawChange[]> {
  const { stdout } = await git(['diff-tree', '-r', '-z', '--no-renames', '--raw', from, to, '--'], { signal, gitDir });
  const fields = Array.from(splitAtNul(stdout), String);
  const changes: RawChange[] = [];
  for (let index = 0; index + 1 < fields.length; index += 2) {
    const [oldMode = '', newMode = '', oldSha = '', newSha = ''] = (fields[index] ?? '').slice(1).split(' ');
    changes.push({ path: fields[index + 1] ?? '', oldMode, newMode, oldSha, newSha });
  }
  return changes;
}

export async function listChangedPaths({
  git,
  gitDir,
  from,
  to,
  signal,
}: InRepository & { from: string; to: string }): Promise<string[]> {
  const args = ['diff-tree', '-r', '-z', '--no-renames', '--name-only', from, to, '--'];
  return Array.from(splitAtNul((await git(args, { signal, gitDir })).stdout), String);
}

/** A rename counts once. */
export async function countChangedFiles({
  git,
  gitDir,
  from,
  to,
  signal,
}: InRepository & { from: string; to: string }): Promise<number> {
  const args = ['diff-tree', '-r', '-z', '-M', '--name-only', from, to, '--'];
  return [...splitAtNul((await git(args, { signal, gitDir })).stdout)].length;
}

export const isAbsent = (mode: string): boolean => mode === '000000';

/** Executable or not. Old histories have 100664. */
export const isPlain = (mode: string): boolean => /^100(644|755|664)$/.test(mode);
