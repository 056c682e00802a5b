import { checkPath } from '../git/check-path.ts';
import { isAbsent, isPlain, type RawChange, readRawDiff } from '../git/diffs.ts';
import type { InRepository } from '../git/git.ts';
import { readBlobs } from '../git/read-blobs.ts';
import { decodeText } from '../workspace/decode-text.ts';
import { WorkspaceRefusal } from '../workspace/workspace-refusal.ts';
import { blobSha } from '../workspace/write-set.ts';
import { type FileState, readBaseFiles } from './base-files.ts';
import { createPolicy, type Policy } from './policy.ts';
import type { WriteRules } from './write-rules.ts';

interface Between extends InRepository {
  /** `from` and `to` are commits or trees. */
  from: string;
  to: string;
}

const maxBytes = 32 * 1024 ** 2;

/** Checks a change before a push. Tools refuse such paths one by one, so `WorkspaceRefusal` here means a bug or an attack. */
export async function requireAllowedChanges(
  options: Between & {
    rules?: WriteRules | undefined;
    /** That of `from` and `rules`, where there is one already. */
    policy?: Policy;
    /** The files that may differ, with their content. */
    expected?: ReadonlyMap<string, Uint8Array | null>;
  },
): Promise<void> {
  const { rules, policy: known, expected, ...between } = options;
  const policy = known ?? (await createPolicy({ base: await readBaseFiles({ ...between, sha: between.from }), rules }));
  const { changes } = await readRawDiff(between);
  const readState = await readStates(between, { changes, expected });
  const forbidden: string[] = [];
  for (const change of changes) {
    const isAllowed =
      isPlainChange(change) &&
      (expected === undefined || expected.has(change.path)) &&
      (await policy.findRefusal({
        path: change.path,
        before: readState(change.oldMode, change.oldSha),
        after: readState(change.newMode, change.newSha),
      })) === undefined;
    if (!isAllowed) forbidden.push(change.path);
  }
  if (forbidden.length > 0) throw new WorkspaceRefusal({ reason: 'protected_paths', paths: forbidden });
}

function isPlainChange({ path, oldMode, newMode }: RawChange): boolean {
  const checked = checkPath(path);
  const isFile = [oldMode, newMode].every((mode) => isAbsent(mode) || isPlain(mode));
  return isFile && checked.kind === 'path' && checked.path === path;
}

async function readStates(
  between: Between,
  request: { changes: readonly RawChange[]; expected: ReadonlyMap<string, Uint8Array | null> | undefined },
) {
  const { changes, expected } = request;
  const written = new Map(
    changes.flatMap(({ path, newSha }) => {
      const bytes = expected?.get(path);
      return bytes && blobSha(bytes, newSha) === newSha ? [[newSha, bytes] as const] : [];
    }),
  );
  const shas = changes.flatMap(({ oldMode, newMode, oldSha, newSha }) => [
    ...(isPlain(oldMode) ? [oldSha] : []),
    ...(isPlain(newMode) && !written.has(newSha) ? [newSha] : []),
  ]);
  const blobs = new Map<string, Uint8Array | null>([...written, ...(await readBlobs({ ...between, shas, maxBytes }))]);
  return (mode: string, sha: string): FileState | null => {
    if (isAbsent(mode)) return null;
    const bytes = blobs.get(sha);
    return {
      text: bytes ? (decodeText(bytes) ?? null) : null,
      bytes: bytes?.length ?? Number.POSITIVE_INFINITY,
      sha,
      isExecutable: mode === '100755',
    };
  };
}
