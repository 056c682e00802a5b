import { createBase, type FileEntry, type Files, readState } from '../../harness/memory-files.ts';
import { createPolicy } from '../../src/policy/policy.ts';
import type { WriteRules } from '../../src/policy/write-rules.ts';

/** Returns why a change of these base files is refused, as one guard after the other sees it. `after: null` removes. */
export async function tryChange(
  files: Files,
  path: string,
  after: FileEntry | null,
  rules?: WriteRules,
): Promise<string | undefined> {
  const policy = await createPolicy({ base: createBase(files), rules });
  const before = files[path];
  return policy.findRefusal({
    path,
    before: before === undefined ? null : readState(before),
    after: after === null ? null : readState(after),
  });
}
