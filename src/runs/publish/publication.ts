import { z } from 'zod';
import { StopRequested } from '../../errors.ts';
import { inLease } from '../../store/schedule/lease.ts';
import { recordEvents } from '../../store/tables/jobs/events.ts';
import { listUnansweredMessages, releaseMessages } from '../../store/tables/jobs/messages.ts';
import { addRunWarning, isStopRequested, type Run, updateRun } from '../../store/tables/jobs/runs.ts';
import type { RunContext } from '../run-context.ts';
import { describeProblems } from '../work/turn-events.ts';
import { checksSchema } from './checks.ts';

/** Frozen before the first effect: after a takeover, the run makes the same commit and texts without the model. */
export const publicationSchema = z.object({
  end: z.object({ outcome: z.enum(['completed', 'failed']), code: z.string(), sentence: z.string() }),
  summary: z.string(),
  replies: z.array(z.object({ message: z.string(), text: z.string() })).default([]),
  /** Hosts that these texts may link to, besides GitHub. */
  allowedHosts: z.array(z.string()).default([]),
  warnings: z.array(z.string()).optional(),
  /** The limit that ended the work. */
  limit: z.string().nullable(),
  /** About the whole change of the job. Absent: nothing to push, or frozen by an earlier release. */
  checks: checksSchema.optional(),
  /** null: nothing to push. */
  change: z
    .object({
      branch: z.string(),
      /** The tip that the push expects and the commit builds on; null: no such branch yet. */
      tip: z.string().nullable(),
      sha: z.string(),
      message: z.string(),
      author: z.object({ name: z.string(), email: z.string() }),
      date: z.coerce.date(),
      title: z.string(),
      description: z.string(),
      section: z.string(),
      newBody: z.string(),
      draft: z.boolean(),
      /** The run changed files that only `also` opens: an open pull request becomes a draft. */
      becomesDraft: z.boolean().default(false),
    })
    .nullable(),
});

export type Publication = z.infer<typeof publicationSchema>;
export type Change = NonNullable<Publication['change']>;

export interface Frozen {
  kind: 'frozen';
  publication: Publication;
  /** Frozen by an earlier attempt, perhaps elsewhere: the mirror may not have the commit. */
  isEarlier: boolean;
}

/** The run's change conflicts with a change by others. */
export interface Conflict {
  kind: 'conflict';
  /** The branch's tip now, or the target's tip for a branch that does not exist yet. */
  tip: string;
  /** The target's commit that must be merged too; null: none. */
  mergedBaseSha: string | null;
  paths: string[];
}

/** Undefined: the agent is still at work. */
export function findFrozen({ phase, publication }: Run): Frozen | undefined {
  if (phase !== 'publishing') return undefined;
  return { kind: 'frozen', publication: publicationSchema.parse(publication), isEarlier: true };
}

/** Also adds the warnings to the run, and releases messages that the model never answered. Throws `StopRequested`. */
export async function storePublication(
  { parts: { database }, lease, run }: RunContext,
  publication: Publication,
): Promise<void> {
  await inLease(database, lease, async (tx) => {
    if (await isStopRequested(tx, lease.jobId)) throw new StopRequested('the run was asked to stop');
    await releaseMessages(tx, await listUnansweredMessages(tx, run.run_id));
    await updateRun(tx, run.run_id, { phase: 'publishing', publication: JSON.stringify(publication) });
    for (const warning of publication.warnings ?? []) await addRunWarning(tx, run.run_id, warning);
    const left = publication.checks?.problems ?? [];
    await recordEvents(tx, lease.jobId, describeProblems(run.run_id, left, { sentBack: false }));
  });
}

/** The branch that an earlier run of the job froze and perhaps pushed without a record. */
export function findFrozenBranch(runs: Run[]): string | undefined {
  return runs
    .map(({ publication }) => publicationSchema.nullable().parse(publication)?.change?.branch)
    .findLast((branch) => branch !== undefined);
}

/** The newest published change. `runs`: oldest first. */
export function findLastChange(runs: Run[]): Change | undefined {
  return runs.map(findPublishedChange).findLast((change) => change !== undefined);
}

function findPublishedChange({ publication, commit_sha: commitSha }: Run): Change | undefined {
  if (commitSha === null || publication === null) return undefined;
  return publicationSchema.parse(publication).change ?? undefined;
}
