import type { Database } from '../store/database.ts';
import { inLease } from '../store/lease.ts';
import { type Run, updateRun } from '../store/runs.ts';
import { readWrites, storeWrites } from '../store/turns.ts';
import { listChangedPaths } from '../workspace/commits.ts';
import type { Conflict } from './freeze.ts';
import type { RunAtSite } from './open-site.ts';
import { writeConflict } from './prompt.ts';
import type { RunParts } from './run-parts.ts';

/** How often a run may be sent back by a person's push, before it gives up. */
const maxRebases = 1;

/**
 * Sends the run back to the agent, on top of the tip that a person pushed. Of the write set only what the person did not touch
 * is kept: whatever both changed has their version now, and the agent is told. Returns undefined when it was sent back before.
 */
export async function sendBack(
  { database, git }: Pick<RunParts, 'git'> & { database: Database },
  { lease, run, site, conflict, signal }: Omit<RunAtSite, 'job'> & { conflict: Conflict },
): Promise<Run | undefined> {
  if (run.rebases >= maxRebases) return undefined;
  const theirs = await listChangedPaths({ git, mirror: site.mirror, from: site.baseSha, to: conflict.tip, signal });
  const touched = new Set([...theirs, ...conflict.paths]);
  return inLease(database, lease, async (tx) => {
    const writes = [...(await readWrites(tx, run.run_id))];
    const kept = writes.filter(([path]) => !touched.has(path));
    const lost = writes.map(([path]) => path).filter((path) => touched.has(path));
    await storeWrites(tx, run.run_id, new Map(kept));
    return updateRun(tx, run.run_id, {
      phase: 'working',
      publication: null,
      base_sha: conflict.tip,
      rebases: run.rebases + 1,
      notice: writeConflict({ conflicts: lost, others: kept.map(([path]) => path) }),
    });
  });
}
