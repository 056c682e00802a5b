import { RunFailure } from '../errors.ts';
import type { Git } from './git.ts';
import { judgePath } from './paths.ts';
import { findProtection } from './protected-paths.ts';
import { splitAtNul } from './tree.ts';

/** One file that differs between two commits. `from` is the old name of a renamed one. Lines are 0 for binary files. */
export interface ChangedFile {
  path: string;
  status: 'added' | 'modified' | 'deleted' | 'renamed';
  from?: string;
  additions: number;
  deletions: number;
}

interface Between {
  git: Git;
  gitDir: string;
  /** Commits or trees. */
  from: string;
  to: string;
  signal: AbortSignal;
}

/** The files that differ, in path order, renames found. */
export async function listChanges({ git, gitDir, from, to, signal }: Between): Promise<ChangedFile[]> {
  const { stdout } = await git(['diff-tree', '-r', '-z', '-M', '--raw', '--numstat', '--no-ext-diff', from, to, '--'], {
    signal,
    gitDir,
  });
  const fields = Array.from(splitAtNul(stdout), String);
  const files = new Map<string, ChangedFile>();
  for (let field = fields.shift(); field !== undefined; field = fields.shift()) {
    if (field.startsWith(':')) {
      const letter = field.split(' ')[4] ?? '';
      const first = fields.shift() ?? '';
      const file = letter.startsWith('R')
        ? { path: fields.shift() ?? '', from: first, status: 'renamed' as const }
        : { path: first, status: statusOf(letter) };
      files.set(file.path, { ...file, additions: 0, deletions: 0 });
      continue;
    }
    // A count line holds its path; that of a renamed file is followed by both names instead.
    const [additions, deletions, name] = field.split('\t');
    if (name === '') {
      fields.shift();
    }
    const file = files.get(name === '' ? (fields.shift() ?? '') : (name ?? ''));
    if (file) {
      file.additions = Number(additions) || 0;
      file.deletions = Number(deletions) || 0;
    }
  }
  return [...files.values()].toSorted((a, b) => (a.path < b.path ? -1 : 1));
}

/**
 * The last look at a change before it leaves: throws `RunFailure` with `protected_paths` when it touches a symbolic link, a submodule, a
 * protected path, or a path outside `expected`. By then this means a fault of ours or an attack, never the model's mistake: tools refuse
 * such paths one by one.
 */
export async function requireAllowedChanges({
  git,
  gitDir,
  from,
  to,
  allow,
  expected,
  signal,
}: Between & { allow?: readonly string[] | undefined; expected?: { has(path: string): boolean } }): Promise<void> {
  const { stdout } = await git(['diff-tree', '-r', '-z', '--no-renames', '--raw', from, to, '--'], { signal, gitDir });
  const fields = Array.from(splitAtNul(stdout), String);
  const forbidden: string[] = [];
  for (let index = 0; index + 1 < fields.length; index += 2) {
    const [oldMode = '', newMode = ''] = (fields[index] ?? '').slice(1).split(' ');
    const path = fields[index + 1] ?? '';
    const judged = judgePath(path);
    const isPlain = [oldMode, newMode].every((mode) => /^(100644|100755|100664|000000)$/.test(mode));
    const isNamed = judged.kind === 'path' && judged.path === path;
    const isExpected = expected === undefined || expected.has(path);
    if (!isPlain || !isNamed || !isExpected || findProtection(path, allow) !== undefined) {
      forbidden.push(path);
    }
  }
  if (forbidden.length > 0) {
    const shown = forbidden.slice(0, 5).join(', ');
    throw new RunFailure(
      'protected_paths',
      `The change was stopped because it touches files that the agent may not change (${shown}${forbidden.length > 5 ? ', …' : ''}); make these changes by hand.`,
    );
  }
}

const statusOf = (letter: string): 'added' | 'modified' | 'deleted' =>
  letter === 'A' ? 'added' : letter === 'D' ? 'deleted' : 'modified';
