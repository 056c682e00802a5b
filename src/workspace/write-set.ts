import { createHash } from 'node:crypto';
import { setImmediate as yieldToEventLoop } from 'node:timers/promises';
import { maxPathBytes, parentsOf } from '../git/check-path.ts';
import type { Tree } from '../git/tree.ts';
import type { TreeChange } from '../git/write-commit.ts';
import { createPathIndex } from './path-index.ts';

const pathsAtOnce = 1_000;

/** The files of a workspace in memory: a tree and its differences. A file with its original content again is not a difference. */
export async function createWriteSet(tree: Tree, isListed: (path: string) => boolean = () => true) {
  const changes = new Map<string, Uint8Array | null>();
  const names = createPathIndex([]);
  for await (const path of inParts(tree.files.keys())) names.add(path);
  for await (const path of inParts(tree.others.keys())) {
    if (path.length <= maxPathBytes) {
      names.add(path);
    } else {
      // Longer than any checked path: only its parent folders can be accessed.
      names.addFolder(path.slice(0, Math.max(0, path.lastIndexOf('/', maxPathBytes))));
    }
  }
  const initial: string[] = [];
  for await (const path of inParts(tree.files.keys())) {
    if (isListed(path)) initial.push(path);
  }
  const listed = createSortedPaths(initial);
  let bytes = 0;

  function set(path: string, content: Uint8Array | null): void {
    bytes -= changes.get(path)?.length ?? 0;
    const base = tree.files.get(path);
    const isUnchanged =
      content === null ? base === undefined : base !== undefined && blobSha(content, base.sha) === base.sha;
    if (isUnchanged) {
      changes.delete(path);
    } else {
      changes.set(path, content);
      bytes += content?.length ?? 0;
    }
    if (content === null) {
      names.remove(path);
      listed.remove(path);
    } else {
      names.add(path);
      if (isListed(path)) listed.add(path);
    }
  }

  /** A file keeps its mode; a new file is not executable. */
  const isExecutable = (path: string): boolean => tree.files.get(path)?.isExecutable ?? false;

  const inOrder = () => [...changes].toSorted(([a], [b]) => (a < b ? -1 : 1));
  const has = (path: string): boolean => names.hasFile(path) && !tree.others.has(path);

  return {
    set,
    has,
    isExecutable,
    hasFolder: names.hasFolder,
    findClash: names.findClash,
    list: listed.list,
    writes: (): Writes => new Map(inOrder()),
    changes: (): TreeChange[] =>
      inOrder().map(([path, content]) => ({
        path,
        bytes: content,
        isExecutable: isExecutable(path),
      })),
    /** The size of the write set if `path` had `added` bytes. */
    sizeWith: (path: string, added: number) => ({
      files: changes.size + (changes.has(path) ? 0 : 1),
      bytes: bytes - (changes.get(path)?.length ?? 0) + added,
    }),
  };
}

export type WriteSet = Awaited<ReturnType<typeof createWriteSet>>;

/** All files that differ from a commit, by path; null: removed. */
export type Writes = ReadonlyMap<string, Uint8Array | null>;

const isSame = (a: Uint8Array | null | undefined, b: Uint8Array | null | undefined): boolean =>
  a === b || (a != null && b != null && Buffer.compare(a, b) === 0);

/** The paths of files that were written or restored between two states of a write set. */
export function listDifferences(earlier: Writes, later: Writes): string[] {
  const paths = new Set([...earlier.keys(), ...later.keys()]);
  return [...paths].filter((path) => !isSame(earlier.get(path), later.get(path)));
}

/** Lets the event loop go on between the parts of a long list. */
async function* inParts(paths: Iterable<string>): AsyncGenerator<string> {
  let count = 0;
  for (const path of paths) {
    yield path;
    count += 1;
    if (count % pathsAtOnce === 0) await yieldToEventLoop();
  }
}

/** The git object name of these bytes, by the hash algorithm of `like`. https://git-scm.com/book/en/v2/Git-Internals-Git-Objects */
export function blobSha(bytes: Uint8Array, like: string): string {
  const hash = createHash(like.length === 64 ? 'sha256' : 'sha1');
  return hash.update(`blob ${bytes.length}\0`).update(bytes).digest('hex');
}

/** Paths in order. Adding and removing take a search and a copy, not a sort: a hundred thousand files are listed again and again. */
export function createSortedPaths(initial: Iterable<string>) {
  const paths = [...initial].sort();

  /** The first place whose path is not before `path`. */
  function findPlace(path: string): number {
    let [low, high] = [0, paths.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((paths[middle] ?? '') < path) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    return low;
  }

  return {
    add(path: string): void {
      const place = findPlace(path);
      if (paths[place] !== path) paths.splice(place, 0, path);
    },
    remove(path: string): void {
      const place = findPlace(path);
      if (paths[place] === path) paths.splice(place, 1);
    },
    list: (): readonly string[] => paths,
  };
}

export interface WriteLimits {
  maxChangedFiles: number;
  maxChangedBytes: number;
  maxFileBytes: number;
}

/** Returns, for the model, why a checked path cannot hold that many bytes (null: removed), whatever they are. */
export function findWriteLimit(options: {
  files: WriteSet;
  path: string;
  bytes: number | null;
  limits: WriteLimits;
}): string | undefined {
  const { files, path, bytes, limits } = options;
  const size = files.sizeWith(path, bytes ?? 0);
  if (size.files > limits.maxChangedFiles || size.bytes > limits.maxChangedBytes)
    return `a run may change at most ${limits.maxChangedFiles} files and write at most ${limits.maxChangedBytes} bytes, and this write would exceed that; nothing was changed. Finish with the changes that you have`;
  if (bytes !== null && bytes > limits.maxFileBytes)
    return `${path} would be longer than ${limits.maxFileBytes} bytes; shorten or split it`;
  if (files.hasFolder(path)) return `${path} is a folder, not a file: give the path of a file in it`;
  if (bytes === null || files.has(path)) return undefined;
  const file = parentsOf(path).find(files.has);
  if (file !== undefined) return `${file} is a file, so it cannot contain other files`;
  const clash = files.findClash(path);
  if (clash !== undefined)
    return `${path} differs from the existing ${clash} only in letter case or accents, and many file systems cannot store both; use the existing spelling`;
  return undefined;
}
