import { checkPath } from '../git/check-path.ts';
import { findObstacle, type Tree } from '../git/tree.ts';
import type { FileState } from '../policy/base-files.ts';
import { type FindSecrets, findSecretRefusal } from '../policy/hide-secrets.ts';
import type { Policy } from '../policy/policy.ts';
import { decodeText } from './decode-text.ts';
import { readPlainFile, removePlainFile, UnsafeFile, writePlainFile } from './plain-file.ts';
import { blobSha, findWriteLimit, type WriteLimits, type WriteSet } from './write-set.ts';

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

export interface FileMove {
  from: string;
  to: string;
}

export type MoveResult = { kind: 'moved' } | { kind: 'missing' } | Refused;

/** Changes disk and write set together. Calls run one after another. */
export function createWorkspaceFiles(options: {
  tree: Tree;
  files: WriteSet;
  directory: string;
  policy: Policy;
  findSecrets: FindSecrets;
  limits: WriteLimits & { maxReadBytes: number };
}) {
  const { tree, files, directory, policy, findSecrets, limits } = options;
  /** The files of the base, by path, each read before its first write. */
  const originals = new Map<string, FileState | null>();

  async function read(name: string): Promise<ReadResult> {
    const checked = checkPath(name);
    if (checked.kind === 'refused') return checked;
    const { path } = checked;
    const obstacle = findObstacle(tree, path) ?? policy.findReadRefusal(path);
    if (obstacle !== undefined || files.hasFolder(path))
      return refused(obstacle ?? `${path} is a folder, not a file: give the path of a file in it`);
    const file = files.has(path) ? await readPlainFile(directory, path, limits.maxReadBytes) : null;
    if (file === null) return { kind: 'missing' };
    if (file.bytes === null) return { kind: 'too_large', bytes: file.size };
    const text = decodeText(file.bytes);
    if (text === undefined) return { kind: 'binary', bytes: file.size };
    const secret = await findSecretRefusal({ path, text }, findSecrets);
    return secret === undefined ? { kind: 'text', text } : refused(secret);
  }

  async function write(name: string, bytes: Uint8Array | null): Promise<{ kind: 'written' } | Refused> {
    const checked = checkPath(name);
    if (checked.kind === 'refused') return checked;
    const { path } = checked;
    const reason =
      findObstacle(tree, path) ??
      findWriteLimit({ files, path, bytes: bytes?.length ?? null, limits }) ??
      (await findPolicyRefusal(path, bytes));
    if (reason !== undefined) return refused(reason);
    await put(path, bytes);
    return { kind: 'written' };
  }

  async function rememberOriginal(path: string): Promise<FileState | null> {
    const known = originals.get(path);
    if (known !== undefined) return known;
    const base = tree.files.get(path);
    const file = base && (await readPlainFile(directory, path, limits.maxFileBytes));
    const original =
      base && file
        ? {
            text: (file.bytes && decodeText(file.bytes)) ?? null,
            bytes: file.size,
            sha: base.sha,
            isExecutable: base.isExecutable,
          }
        : null;
    originals.set(path, original);
    return original;
  }

  async function findPolicyRefusal(path: string, bytes: Uint8Array | null): Promise<string | undefined> {
    const before = await rememberOriginal(path);
    const refusal = await policy.findRefusal({ path, before, after: bytes && describe(path, bytes) });
    return refusal ?? findSecretRefusal({ path, text: before?.text ?? '' }, findSecrets);
  }

  const describe = (path: string, bytes: Uint8Array): FileState => ({
    text: decodeText(bytes) ?? null,
    bytes: bytes.length,
    sha: blobSha(bytes, tree.files.values().next().value?.sha ?? ''),
    isExecutable: files.isExecutable(path),
  });

  /** Without checks: the rules may allow removing a file, but not creating it again. */
  async function put(path: string, bytes: Uint8Array | null): Promise<void> {
    await (bytes === null ? removePlainFile(directory, path) : writePlainFile(directory, path, bytes));
    files.set(path, bytes);
  }

  async function writeText(name: string, text: string): Promise<{ kind: 'written' } | Refused> {
    if (!text.isWellFormed() || text.includes('\0'))
      return refused('the content is not text: it contains NUL or a lone surrogate');
    return write(name, Buffer.from(text));
  }

  const writeTexts = (texts: ReadonlyMap<string, string>) =>
    allOrNothing<{ kind: 'written' } | Refused>(put, async (changed) => {
      for (const [path, text] of texts) {
        const file = files.has(path) ? await readPlainFile(directory, path, limits.maxFileBytes) : null;
        if (file?.bytes === null) return refused(`${path} is too large to change`);
        const written = await writeText(path, text);
        if (written.kind === 'refused') return written;
        changed.push({ path, bytes: file?.bytes ?? null });
      }
      return { kind: 'written' };
    });

  async function remove(name: string): Promise<{ kind: 'removed' } | { kind: 'missing' } | Refused> {
    if (isMissing(name)) return { kind: 'missing' };
    const result = await write(name, null);
    return result.kind === 'refused' ? result : { kind: 'removed' };
  }

  const moveFiles = (moves: readonly FileMove[], signal: AbortSignal) =>
    allOrNothing<MoveResult>(put, async (changed) => {
      for (const each of moves) {
        signal.throwIfAborted();
        const moved = await move(each, changed);
        if (moved.kind !== 'moved') return moved;
      }
      return { kind: 'moved' };
    });

  async function move({ from, to }: FileMove, changed: FormerFile[]): Promise<MoveResult> {
    const [source, target] = [checkPath(from), checkPath(to)];
    if (source.kind === 'refused') return source;
    if (target.kind === 'refused') return target;
    if (isMissing(source.path)) return { kind: 'missing' };
    if (files.has(target.path))
      return refused(`${target.path} exists already; delete it first, or choose another path`);
    const file = files.has(source.path) ? await readPlainFile(directory, source.path, limits.maxFileBytes) : undefined;
    if (file?.bytes === null) return refused(`${source.path} is too large to move`);
    // Removed first, so that a move can change letter case only.
    const removed = await write(source.path, null);
    if (removed.kind === 'refused' || !file) return removed.kind === 'refused' ? removed : { kind: 'missing' };
    changed.push({ path: source.path, bytes: file.bytes });
    const written = await write(target.path, file.bytes);
    if (written.kind === 'refused') return written;
    changed.push({ path: target.path, bytes: null });
    return { kind: 'moved' };
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
    readOriginal: (path: string) => originals.get(path)?.text ?? undefined,
    read: (path: string) => oneAtATime(() => read(path)),
    write: (path: string, bytes: Uint8Array | null) => oneAtATime(() => write(path, bytes)),
    writeText: (path: string, text: string) => oneAtATime(() => writeText(path, text)),
    writeTexts: (texts: ReadonlyMap<string, string>) => oneAtATime(() => writeTexts(texts)),
    remove: (path: string) => oneAtATime(() => remove(path)),
    moveFiles: (moves: readonly FileMove[], signal: AbortSignal) => oneAtATime(() => moveFiles(moves, signal)),
  };
}

const refused = (reason: string): Refused => ({ kind: 'refused', reason });

/** Runs one call at a time, in order. Turns `UnsafeFile` into a refusal. */
function createMutex() {
  let last: Promise<unknown> = Promise.resolve();
  return <Result>(work: () => Promise<Result | Refused>): Promise<Result | Refused> => {
    const next = last.then(work).catch((error: unknown) => {
      if (error instanceof UnsafeFile) return refused(error.message);
      throw error;
    });
    last = next.catch(() => {});
    return next;
  };
}

/** Null: there was no file. */
interface FormerFile {
  path: string;
  bytes: Uint8Array | null;
}

/** Undoes with `put` what `work` did before it was refused or threw. `work` lists the former contents of what it changed. */
async function allOrNothing<Result extends { kind: string }>(
  put: (path: string, bytes: Uint8Array | null) => Promise<void>,
  work: (changed: FormerFile[]) => Promise<Result>,
): Promise<Result> {
  const changed: FormerFile[] = [];
  const undo = async () => {
    for (const { path, bytes } of changed.toReversed()) await put(path, bytes);
  };
  try {
    const result = await work(changed);
    if (result.kind === 'refused' || result.kind === 'missing') await undo();
    return result;
  } catch (error) {
    await undo();
    throw error;
  }
}
