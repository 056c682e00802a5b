import { checkPath } from '../git/paths.ts';
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

/** A refusal is written for the model: what is wrong, what to do instead. */
export interface Refused {
  kind: 'refused';
  reason: string;
}

export type ReadResult =
  | { kind: 'text'; text: string }
  | { kind: 'binary' | 'too_large'; bytes: number }
  | { kind: 'missing' }
  | Refused;

/** Reading and writing one workspace's files, on disk and in its write set together. Calls run one after the other. */
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
  const judge = createWriteCheck(rules);
  /** What was at a path before its first write, where that matters; null: nothing, or more than anybody may write. */
  const originals = new Map<string, Uint8Array | null>();

  async function read(given: string): Promise<ReadResult> {
    const judged = checkPath(given);
    if (judged.kind === 'refused') {
      return judged;
    }
    const { path } = judged;
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

  /** Writes one file, or removes it (null). */
  async function write(given: string, bytes: Uint8Array | null): Promise<{ kind: 'written' } | Refused> {
    const judged = checkPath(given);
    if (judged.kind === 'refused') {
      return judged;
    }
    const { path } = judged;
    const refusal = findWriteRefusal({ tree, files, path, bytes: bytes?.length ?? null, judge, limits });
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

  async function writeText(given: string, text: string): Promise<{ kind: 'written' } | Refused> {
    if (!text.isWellFormed() || text.includes('\0')) {
      return refused('the content is not text: it holds NUL or half of a surrogate pair');
    }
    return write(given, Buffer.from(text));
  }

  async function remove(given: string): Promise<{ kind: 'removed' } | { kind: 'missing' } | Refused> {
    if (isMissing(given)) {
      return { kind: 'missing' };
    }
    const result = await write(given, null);
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
      return refused(`${target.path} exists already; delete it first, or choose another name`);
    }
    const file = files.has(source.path) ? await readPlainFile(directory, source.path, limits.maxFileBytes) : undefined;
    if (file?.bytes === null) {
      return refused(`${source.path} is too large to be moved`);
    }
    // First away, then there: only so can a name change in nothing but its letter case.
    const removed = await write(source.path, null);
    if (removed.kind === 'refused' || !file) {
      return removed.kind === 'refused' ? removed : { kind: 'missing' };
    }
    const written = await write(target.path, file.bytes);
    if (written.kind === 'written') {
      return { kind: 'moved' };
    }
    // Not judged again: a rule that lets a file go may not let one like it come.
    await put(source.path, file.bytes);
    return written;
  }

  /** No file, no folder, nothing that a refusal has more to say about. */
  function isMissing(given: string): boolean {
    const judged = checkPath(given);
    return (
      judged.kind === 'path' &&
      !files.has(judged.path) &&
      !files.hasFolder(judged.path) &&
      findObstacle(tree, judged.path) === undefined
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

/** Lets one call in at a time, in order. A file that turns out not to be a plain one is a refusal. */
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
