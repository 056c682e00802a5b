import { createHash } from 'node:crypto';
import { maxPathBytes } from '../git/paths.ts';
import type { Tree } from '../git/tree.ts';
import type { TreeChange } from '../git/write-commit.ts';
import { createPathIndex } from './path-index.ts';

/**
 * What a workspace is: a tree, and the files that differ from it. Only real differences are kept, so a file that is written back to what
 * it was is no longer one. Knows nothing of disks.
 */
export function createWriteSet(tree: Tree) {
  const changes = new Map<string, Uint8Array | null>();
  const names = createPathIndex(tree.files.keys());
  for (const path of tree.others.keys()) {
    if (path.length <= maxPathBytes) {
      names.add(path);
    } else {
      // Nobody can ask for such a name, only for a folder above it.
      names.addFolder(path.slice(0, Math.max(0, path.lastIndexOf('/', maxPathBytes))));
    }
  }
  let bytes = 0;

  /** Sets a file's content; null removes it. */
  function set(path: string, content: Uint8Array | null): void {
    bytes -= changes.get(path)?.length ?? 0;
    const base = tree.files.get(path);
    const isAsBefore =
      content === null ? base === undefined : base !== undefined && blobSha(content, base.sha) === base.sha;
    if (isAsBefore) {
      changes.delete(path);
    } else {
      changes.set(path, content);
      bytes += content?.length ?? 0;
    }
    if (content === null) {
      names.remove(path);
    } else {
      names.add(path);
    }
  }

  /**
   * A known file keeps its mode. A new one is executable when it has the bytes of an executable that was removed: then it was moved. So
   * the mode follows from the base and the write set alone, and a takeover arrives at the same commit.
   */
  function isExecutable(path: string, content: Uint8Array): boolean {
    const base = tree.files.get(path);
    if (base !== undefined) {
      return base.isExecutable;
    }
    return [...changes].some(([other, left]) => {
      const moved = left === null ? tree.files.get(other) : undefined;
      return moved?.isExecutable === true && moved.sha === blobSha(content, moved.sha);
    });
  }

  const inOrder = () => [...changes].toSorted(([a], [b]) => (a < b ? -1 : 1));
  const has = (path: string): boolean => names.hasFile(path) && !tree.others.has(path);

  return {
    set,
    has,
    hasFolder: names.hasFolder,
    findClash: names.findClash,
    list: (): string[] => names.list().filter(has).toSorted(),
    writes: (): ReadonlyMap<string, Uint8Array | null> => new Map(inOrder()),
    changes: (): TreeChange[] =>
      inOrder().map(([path, content]) => ({
        path,
        bytes: content,
        isExecutable: content !== null && isExecutable(path, content),
      })),
    /** How large the write set would be with this file in it. */
    sizeWith: (path: string, added: number) => ({
      files: changes.size + (changes.has(path) ? 0 : 1),
      bytes: bytes - (changes.get(path)?.length ?? 0) + added,
    }),
  };
}

export type WriteSet = ReturnType<typeof createWriteSet>;

/** The name git gives to these bytes, in the hash that `like` is written in. https://git-scm.com/book/en/v2/Git-Internals-Git-Objects */
function blobSha(bytes: Uint8Array, like: string): string {
  const hash = createHash(like.length === 64 ? 'sha256' : 'sha1');
  return hash.update(`blob ${bytes.length}\0`).update(bytes).digest('hex');
}
