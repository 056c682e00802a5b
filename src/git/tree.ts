import { checkPath, parentsOf } from './check-path.ts';
import { isAbsent, type RawChange } from './diffs.ts';
import { GitError, GitRefusal } from './errors.ts';
import type { InRepository } from './git.ts';
import { readListing, readTreeEntries } from './listing.ts';

interface TreeFile {
  sha: string;
  isExecutable: boolean;
}

/** `others` are hidden from the agent, with a description: symbolic links, submodules, forbidden names. */
export interface Tree {
  files: Map<string, TreeFile>;
  others: Map<string, string>;
}

/** Throws `GitRefusal` `repository_too_large`, also when a small repository unfolds beyond the limits. Links and submodules count as files. */
export async function readTree(
  request: InRepository & {
    sha: string;
    maxFiles: number;
    maxBytes: number;
    /** Other paths are left out, and do not count. */
    isWanted?: (path: string) => boolean;
  },
): Promise<Tree> {
  const { sha, maxFiles, maxBytes, isWanted = () => true, ...at } = request;
  const tooLarge = (options?: ErrorOptions) =>
    new GitRefusal({ reason: 'repository_too_large', maxBytes, maxFiles }, options);
  const listing = await readListing({ ...at, sha }).catch((error: unknown) => {
    throw error instanceof GitError && error.failure === 'output' ? tooLarge({ cause: error }) : error;
  });

  const tree: Tree = { files: new Map(), others: new Map() };
  let bytes = 0;
  let entries = 0;
  let folders = 0;
  let previousPath = '';
  for await (const { mode, sha: objectSha, size, path } of readTreeEntries(listing, at.signal)) {
    if (!isWanted(path)) continue;
    const other = describeOther(mode, path);
    if (other === undefined) {
      tree.files.set(path, { sha: objectSha, isExecutable: mode === '100755' });
      // `BAD`: the object is missing. The checkout reports it.
      bytes += size === 'BAD' ? 0 : Number(size);
    } else {
      tree.others.set(path, other);
    }
    entries += 1;
    folders += countNewFolders(previousPath, path);
    previousPath = path;
    if (entries > maxFiles || folders > maxFiles || bytes > maxBytes) throw tooLarge();
  }
  return tree;
}

/** The tree that differs from this one by `changes`. */
export function changeTree({ files, others }: Tree, changes: readonly RawChange[]): Tree {
  const changed: Tree = { files: new Map(files), others: new Map(others) };
  for (const { path, newMode: mode, newSha: sha } of changes) {
    changed.files.delete(path);
    changed.others.delete(path);
    if (isAbsent(mode)) continue;
    const other = describeOther(mode, path);
    if (other === undefined) changed.files.set(path, { sha, isExecutable: mode === '100755' });
    else changed.others.set(path, other);
  }
  return changed;
}

/** Returns, for the model, why a checked path may not be read or written: it, or a folder above it, is not a plain file or folder. */
export function findObstacle(tree: Tree, path: string): string | undefined {
  for (const name of [...parentsOf(path), path]) {
    const other = tree.others.get(name);
    if (other !== undefined) return `${name} is ${other}; you can neither read nor change it`;
  }
  return undefined;
}

/** git lists depth first, so each folder counts once. */
function countNewFolders(previousPath: string, path: string): number {
  let at = 0;
  while (at < path.length && path[at] === previousPath[at]) at += 1;
  let count = 0;
  for (let slash = path.indexOf('/', at); slash !== -1; slash = path.indexOf('/', slash + 1)) {
    count += 1;
  }
  return count;
}

function describeOther(mode: string, path: string): string | undefined {
  if (mode === '120000') return 'a symbolic link';
  if (mode === '160000') return 'a submodule';
  const checked = checkPath(path);
  // A name that is not UTF-8 decodes to U+FFFD and could not be found again.
  return checked.kind === 'path' && checked.path === path && !path.includes('\uFFFD')
    ? undefined
    : 'a file with a name that is not allowed';
}
