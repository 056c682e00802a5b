import { isContained } from '../git/commits.ts';
import { listChangedPaths } from '../git/diffs.ts';
import type { Database } from '../store/postgres/database.ts';
import { inLease } from '../store/schedule/lease.ts';
import { findOpenRun, type Run, updateRun } from '../store/tables/runs.ts';
import { readWrites, storeWrites } from '../store/tables/turns.ts';
import { prepareBase } from './prepare/base-commit.ts';
import type { RunAtSite } from './prepare/open-checkout.ts';
import type { Conflict } from './publish/freeze.ts';
import { publicationSchema } from './publish/publication.ts';
import type { RunParts } from './run-parts.ts';
import { writeConflict } from './work/prompt.ts';

/** How often a run may be sent back by what others changed, before it gives up. */
const maxRebases = 1;

export const maySendBack = ({ rebases }: Run) => rebases < maxRebases;

/**
 * Sends the run back to the agent, on new ground: on top of the tip that a person pushed, or with the base that has moved merged in. Of
 * the write set only what nobody else touched is kept: whatever both changed has their version now, and the agent is told. Returns
 * undefined when it was sent back before.
 */
export async function sendBack(
  { database, git }: Pick<RunParts, 'git'> & { database: Database },
  { lease, run, site, conflict, signal }: Omit<RunAtSite, 'job'> & { conflict: Conflict },
): Promise<Run | undefined> {
  if (!maySendBack(run)) return undefined;
  const { mirror, writeRules } = site;
  const { tip, mergedBaseSha } = conflict;
  const inMirror = { git, gitDir: mirror.directory, signal };
  // Whoever pushed may have merged the base as well.
  const isMerged = mergedBaseSha !== null && (await isContained({ ...inMirror, sha: mergedBaseSha, tip }));
  const moved = { base_sha: tip, merged_base_sha: isMerged ? null : mergedBaseSha };
  const ground = await prepareBase({ git, run: { ...run, ...moved }, mirror, writeRules, signal });
  const theirs = await listChangedPaths({ ...inMirror, from: site.ground.filesSha, to: ground.filesSha });
  const touched = new Set([...theirs, ...conflict.paths]);
  return inLease(database, lease, async (tx) => {
    const { warnings, publication } = (await findOpenRun(tx, lease.jobId)) ?? run;
    const frozen = publicationSchema.nullable().parse(publication)?.warnings ?? [];
    const stored = await readWrites(tx, run.run_id);
    const kept = [...stored].filter(([path]) => !touched.has(path));
    const lost = [...stored.keys()].filter((path) => touched.has(path));
    await storeWrites(tx, run.run_id, { stored, writes: new Map(kept) });
    return updateRun(tx, run.run_id, {
      phase: 'working',
      publication: null,
      // What was told of the change that is given up need not be true of the next.
      warnings: JSON.stringify(warnings.filter((warning) => !frozen.includes(warning))),
      ...moved,
      rebases: run.rebases + 1,
      notice: writeConflict({ lost, kept: kept.map(([path]) => path), conflicts: ground.conflicts }),
    });
  });
}
