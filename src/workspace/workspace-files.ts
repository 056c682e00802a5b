import { checkPath } from '../git/check-path.ts';
import type { Tree } from '../git/tree.ts';
import { decodeText } from './decode-text.ts';
import { readPlainFile, removePlainFile, UnsafeFile, writePlainFile } from './plain-file.ts';
import { findAddedCode, mayConfigureCode } from './policy/find-added-code.ts';
import {
  createWriteCheck,
  findObstacle,
  findWriteRefusal,
  type WriteLimits,
  type WriteRules,
} from './policy/write-rules.ts';
import type { WriteSet } from './write-set.ts';

/** `reason` tells the model what is wrong and what to do. */
export interface Refused {
  kind: 'refused';
  reason: string;
}

export type ReadResult =
  | { kind: 'text'; text: string }
  | { kind: 'binary' | 'too_large'; bytes: number }
  | { kind: 'missing' }
  | Refused;

/** Changes disk and write set together. Calls run one after another. */
export function createWorkspaceFiles({
  tree,
  files,
  directory,
  rules,
  limits,
}: {
  tree: Tree;
  files: WriteSet;
  directory: string;
  rules: WriteRules | undefined;
  limits: WriteLimits & { maxReadBytes: number };
}) {
  const checkWrite = createWriteCheck(rules);
  /** The content of a path before its first write; null: missing, or too large. */
  const originals = new Map<string, Uint8Array | null>();

  async function read(name: string): Promise<ReadResult> {
    const checked = checkPath(name);
    if (checked.kind === 'refused') {
      return checked;
    }
    const { path } = checked;
    const obstacle = findObstacle(tree, path);
    if (obstacle !== undefined || files.hasFolder(path)) {
      return refused(obstacle ?? `${path} is a folder, not a file`);
    }
    const file = files.has(path) ? await readPlainFile(directory, path, limits.maxReadBytes) : null;
    if (file === null) {
      return { kind: 'missing' };
    }
    if (file.bytes === null) {
      return { kind: 'too_large', bytes: file.size };
    }
    const text = decodeText(file.bytes);
    return text === undefined ? { kind: 'binary', bytes: file.size } : { kind: 'text', text };
  }

  async function write(name: string, bytes: Uint8Array | null): Promise<{ kind: 'written' } | Refused> {
    const checked = checkPath(name);
    if (checked.kind === 'refused') {
      return checked;
    }
    const { path } = checked;
    const refusal = findWriteRefusal({ tree, files, path, bytes: bytes?.length ?? null, checkWrite, limits });
    const reason = refusal ?? (await findCode(path, bytes));
    if (reason !== undefined) {
      return refused(reason);
    }
    await put(path, bytes);
    return { kind: 'written' };
  }

  async function findCode(path: string, bytes: Uint8Array | null): Promise<string | undefined> {
    if (!mayConfigureCode(path)) {
      return undefined;
    }
    if (!originals.has(path)) {
      const file = files.has(path) ? await readPlainFile(directory, path, limits.maxFileBytes) : null;
      originals.set(path, file?.bytes ?? null);
    }
    return bytes === null ? undefined : findAddedCode(path, originals.get(path) ?? null, bytes);
  }

  async function put(path: string, bytes: Uint8Array | null): Promise<void> {
    await (bytes === null ? removePlainFile(directory, path) : writePlainFile(directory, path, bytes));
    files.set(path, bytes);
  }

  async function writeText(name: string, text: string): Promise<{ kind: 'written' } | Refused> {
    if (!text.isWellFormed() || text.includes('\0')) {
      return refused('the content is not text: it contains NUL or a lone surrogate');
    }
    return write(name, Buffer.from(text));
  }

  async function remove(name: string): Promise<{ kind: 'removed' } | { kind: 'missing' } | Refused> {
    if (isMissing(name)) {
      return { kind: 'missing' };
    }
    const result = await write(name, null);
    return result.kind === 'refused' ? result : { kind: 'removed' };
  }

  async function move(from: string, to: string): Promise<{ kind: 'moved' } | { kind: 'missing' } | Refused> {
    const [source, target] = [checkPath(from), checkPath(to)];
    if (source.kind === 'refused') {
      return source;
    }
    if (target.kind === 'refused') {
      return target;
    }
    if (isMissing(source.path)) {
      return { kind: 'missing' };
    }
    if (files.has(target.path)) {
      return refused(`${target.path} exists already; delete it first, or choose another path`);
    }
    const file = files.has(source.path) ? await readPlainFile(directory, source.path, limits.maxFileBytes) : undefined;
    if (file?.bytes === null) {
      return refused(`${source.path} is too large to move`);
    }
    // Removed first, so that a move can change letter case only.
    const removed = await write(source.path, null);
    if (removed.kind === 'refused' || !file) {
      return removed.kind === 'refused' ? removed : { kind: 'missing' };
    }
    const written = await write(target.path, file.bytes);
    if (written.kind === 'written') {
      return { kind: 'moved' };
    }
    // Without checks: the rules may allow removing this file but not creating it.
    await put(source.path, file.bytes);
    return written;
  }

  /** False for a path that a more precise refusal describes. */
  function isMissing(name: string): boolean {
    const checked = checkPath(name);
    return (
      checked.kind === 'path' &&
      !files.has(checked.path) &&
      !files.hasFolder(checked.path) &&
      findObstacle(tree, checked.path) === undefined
    );
  }

  const oneAtATime = createMutex();
  return {
    read: (path: string) => oneAtATime(() => read(path)),
    write: (path: string, bytes: Uint8Array | null) => oneAtATime(() => write(path, bytes)),
    writeText: (path: string, text: string) => oneAtATime(() => writeText(path, text)),
    remove: (path: string) => oneAtATime(() => remove(path)),
    move: (from: string, to: string) => oneAtATime(() => move(from, to)),
  };
}

const refused = (reason: string): Refused => ({ kind: 'refused', reason });

/** Runs one call at a time, in order. Turns `UnsafeFile` into a refusal. */
function createMutex() {
  let last: Promise<unknown> = Promise.resolve();
  return <Result>(work: () => Promise<Result | Refused>): Promise<Result | Refused> => {
    const next = last.then(work).catch((error: unknown) => {
      if (error instanceof UnsafeFile) {
        return refused(error.message);
      }
      throw error;
    });
    last = next.catch(() => {});
    return next;
  };
}
