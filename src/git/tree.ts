import { setImmediate as yieldToEventLoop } from 'node:timers/promises';
import { GitError, GitRefusal } from './errors.ts';
import type { InRepository } from './git.ts';
import { checkPath } from './paths.ts';

/** A file of the tree that a workspace starts from. */
export interface TreeFile {
  sha: string;
  isExecutable: boolean;
}

/**
 * A commit's tree as the workspace sees it. `files` are the plain ones. `others` exist but are neither shown nor touched, with what they
 * are in words: symbolic links, submodules, names that we do not let anybody use.
 */
export interface Tree {
  files: Map<string, TreeFile>;
  others: Map<string, string>;
}

export const maxListingBytes = 64 * 1024 * 1024;
const entriesAtOnce = 200;

/**
 * Reads a commit's tree. Throws `GitRefusal` with `repository_too_large` when it holds more files or folders than `maxFiles`, or
 * more bytes than `maxBytes`, also when a small repository only unfolds to that many. Links and submodules count as files.
 */
export async function readTree({
  git,
  gitDir,
  sha,
  maxFiles,
  maxBytes,
  signal,
}: InRepository & { sha: string; maxFiles: number; maxBytes: number }): Promise<Tree> {
  const tooLarge = (options?: ErrorOptions) =>
    new GitRefusal({ reason: 'repository_too_large', maxBytes, maxFiles }, options);
  const listing = await git(['ls-tree', '-r', '-l', '-z', '--full-tree', sha], {
    signal,
    gitDir,
    maxOutputBytes: maxListingBytes,
  }).catch((error: unknown) => {
    throw error instanceof GitError && error.failure === 'output' ? tooLarge({ cause: error }) : error;
  });

  const tree: Tree = { files: new Map(), others: new Map() };
  let bytes = 0;
  let entries = 0;
  let folders = 0;
  let before = '';
  for (const entry of splitAtNul(listing.stdout)) {
    const [mode, , objectSha, size, path] = parseEntry(entry);
    const other = describeOther(mode, path);
    if (other === undefined) {
      tree.files.set(path, { sha: objectSha, isExecutable: mode === '100755' });
      // `BAD`: the object is missing, which checking it out will say.
      bytes += size === 'BAD' ? 0 : Number(size);
    } else {
      tree.others.set(path, other);
    }
    entries += 1;
    folders += countNewFolders(before, path);
    before = path;
    if (entries > maxFiles || folders > maxFiles || bytes > maxBytes) {
      throw tooLarge();
    }
    if (entries % entriesAtOnce === 0) {
      await yieldToEventLoop();
      signal.throwIfAborted();
    }
  }
  return tree;
}

/** The folders above a path that are not above the one before it. git lists depth first, so each is counted once. */
function countNewFolders(before: string, path: string): number {
  let at = 0;
  while (at < path.length && path[at] === before[at]) {
    at += 1;
  }
  let count = 0;
  for (let slash = path.indexOf('/', at); slash !== -1; slash = path.indexOf('/', slash + 1)) {
    count += 1;
  }
  return count;
}

/** Why a tree entry is not a file for us, or undefined when it is one. */
function describeOther(mode: string, path: string): string | undefined {
  if (mode === '120000') {
    return 'a symbolic link';
  }
  if (mode === '160000') {
    return 'a submodule';
  }
  const judged = checkPath(path);
  // A name that is not UTF-8 comes out of decoding with U+FFFD in it and could not be found again.
  return judged.kind === 'path' && judged.path === path && !path.includes('\uFFFD')
    ? undefined
    : 'a file with a name that is not allowed';
}

function parseEntry(entry: Buffer): [mode: string, type: string, sha: string, size: string, path: string] {
  const match = /^(\d+) (\w+) ([0-9a-f]+) +(\d+|-|BAD)\t(.*)$/s.exec(entry.toString());
  const [, mode, type, sha, size, path] = match ?? [];
  if (mode === undefined || type === undefined || sha === undefined || size === undefined || path === undefined) {
    throw new Error(`could not read a line of git ls-tree: ${entry.toString().slice(0, 200)}`);
  }
  return [mode, type, sha, size, path];
}

/** The parts of NUL-terminated output. */
export function* splitAtNul(output: Buffer): Generator<Buffer> {
  let start = 0;
  for (let end = output.indexOf(0); end !== -1; end = output.indexOf(0, start)) {
    yield output.subarray(start, end);
    start = end + 1;
  }
}
