import { mergeOnto } from '../../workspace/merges/merge-onto.ts';
import type { Checkout } from '../prepare/open-checkout.ts';
import type { RunParts } from '../run-parts.ts';
import type { Change } from './publication.ts';

export type MadeCommit =
  | { kind: 'made'; sha: string; changedFiles: number }
  /** Nothing differs: from the base, or from the tip that a person's push brought. */
  | { kind: 'empty' }
  | { kind: 'conflict'; paths: string[] };

/**
 * Makes the run's one commit in the mirror: the write set over the ground, merged onto the tip where the branch has moved. The
 * same site and text make the same SHA, in every attempt and on every machine.
 */
export async function makeCommit(
  { git }: RunParts,
  {
    site,
    tip,
    message,
    author,
    date,
    signal,
  }: { site: Checkout; signal: AbortSignal } & Pick<Change, 'tip' | 'message' | 'author' | 'date'>,
): Promise<MadeCommit> {
  const words = { message, author, committer: author, date, signal };
  const { sha: groundSha, mergedBaseSha } = site.ground;
  const parents: [string, ...string[]] = mergedBaseSha === null ? [groundSha] : [groundSha, mergedBaseSha];
  const commit = await site.workspace.commit({ ...words, parents, allowEmpty: mergedBaseSha !== null });
  if (commit === null) return { kind: 'empty' };
  const { changedFiles } = commit;
  if (tip === null || tip === groundSha) return { kind: 'made', sha: commit.sha, changedFiles };
  const mergedBase = mergedBaseSha ?? undefined;
  const onto = { git, gitDir: site.mirror.directory, ours: commit.sha, tip, mergedBase, rules: site.writeRules };
  const merged = await mergeOnto({ ...onto, ...words });
  return merged.kind === 'merged' ? { kind: 'made', sha: merged.sha, changedFiles } : merged;
}
