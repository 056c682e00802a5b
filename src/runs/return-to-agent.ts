import { isContained } from '../git/commits.ts';
import { listChangedPaths } from '../git/diffs.ts';
import { inLease } from '../store/schedule/lease.ts';
import { findOpenRun, updateRun } from '../store/tables/jobs/runs.ts';
import { readWrites, storeWrites } from '../store/tables/jobs/turns.ts';
import { RunFailure } from './failures.ts';
import { writeConflict } from './notices.ts';
import { prepareBase } from './prepare/base-commit.ts';
import { type Conflict, readPublication } from './publication.ts';
import { mayReturnToAgent } from './publish/find-base-conflict.ts';
import type { CheckedOutRun } from './run-context.ts';

/**
 * Returns the run to the agent on a new base: the pushed tip, or the branch with its target merged in. Keeps only the writes to files that
 * nobody else changed. Throws `RunFailure` `conflict` the second time.
 */
export async function returnToAgent(context: CheckedOutRun, conflict: Conflict): Promise<'sent_back'> {
  const { parts, lease, run, checkout, signals } = context;
  if (!mayReturnToAgent(run)) throw conflictRemains(conflict);
  const { git, database } = parts;
  const { mirror, writeRules } = checkout;
  const { tip, mergedBaseSha } = conflict;
  const signal = signals.work;
  const inMirror = { git, gitDir: mirror.directory, signal };
  // The person who pushed may have merged the target as well.
  const isMerged = mergedBaseSha !== null && (await isContained({ ...inMirror, sha: mergedBaseSha, tip }));
  const moved = { base_sha: tip, merged_base_sha: isMerged ? null : mergedBaseSha };
  const base = await prepareBase({ git, mirror, writeRules, signal }, { run_id: run.run_id, ...moved });
  const theirs = await listChangedPaths({ ...inMirror, from: checkout.base.filesSha, to: base.filesSha });
  const touched = new Set([...theirs, ...conflict.paths]);
  context.run = await inLease(database, lease, async (tx) => {
    const open = (await findOpenRun(tx, lease.jobId)) ?? run;
    const frozen = readPublication(open)?.warnings ?? [];
    const stored = await readWrites(tx, run.run_id);
    const kept = [...stored].filter(([path]) => !touched.has(path));
    const lost = [...stored.keys()].filter((path) => touched.has(path));
    await storeWrites(tx, run.run_id, { stored, writes: new Map(kept) });
    return updateRun(tx, run.run_id, {
      phase: 'working',
      publication: null,
      // Warnings about the dropped change may not hold for the next one.
      warnings: JSON.stringify(open.warnings.filter((warning) => !frozen.includes(warning))),
      ...moved,
      rebases: run.rebases + 1,
      notice: writeConflict({ lost, kept: kept.map(([path]) => path), conflicts: base.conflicts }),
    });
  });
  await context.reload();
  return 'sent_back';
}

const conflictRemains = ({ paths }: Conflict) =>
  new RunFailure(
    'conflict',
    `Other pushes to the branch keep conflicting with this run in ${paths.join(', ')}. Send the instruction again when they are done.`,
  );
