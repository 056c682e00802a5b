import type { InRepository } from './git.ts';
import { splitAtNul } from './tree.ts';

/** One path that differs. The mode and object are 000000 and zeros where it does not exist. */
export interface RawChange {
  path: string;
  oldMode: string;
  newMode: string;
  newSha: string;
}

/** Every path that differs between two commits or trees, in order; a renamed file is there with both names. */
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
    const [oldMode = '', newMode = '', , newSha = ''] = (fields[index] ?? '').slice(1).split(' ');
    changes.push({ path: fields[index + 1] ?? '', oldMode, newMode, newSha });
  }
  return changes;
}

/** The paths that differ between two commits, in order; a renamed file is there with both names. */
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

/** How many files differ between two commits or trees; one that git takes for renamed counts once. */
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

/** Whether a mode is that of no file at all. */
export const isAbsent = (mode: string): boolean => mode === '000000';

/** Whether a mode is that of a plain file, executable or not. 100664 is in old histories. */
export const isPlain = (mode: string): boolean => /^100(644|755|664)$/.test(mode);
