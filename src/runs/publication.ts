import { z } from 'zod';
import { checkReportSchema, evidenceSchema } from '../jobs/shown-publication.ts';
import type { Run } from '../store/tables/jobs/runs.ts';
import type { CheckReport } from './check-report.ts';

export type Evidence = z.infer<typeof evidenceSchema>;

/** Frozen before the first effect: after a takeover, the run makes the same commit and texts without the model. */
export const publicationSchema = z.object({
  end: z.object({ outcome: z.enum(['completed', 'failed']), code: z.string(), sentence: z.string() }),
  summary: z.string(),
  replies: z.array(z.object({ message: z.string(), text: z.string() })).default([]),
  /** Hosts that these texts may link to, besides GitHub. */
  allowedHosts: z.array(z.string()).default([]),
  warnings: z.array(z.string()).optional(),
  /** What of the instructions the model did not see. Not worth a comment on a new pull request, which says it anyway. */
  unseen: z.string().nullable().default(null),
  /** The limit that ended the work. */
  limit: z.string().nullable(),
  /** About the whole change of the job. Absent: nothing to push, or frozen by an earlier release. */
  checks: checkReportSchema.optional(),
  /** Pages of the whole change, with their addresses, for a preview. */
  pages: z.array(z.object({ path: z.string(), address: z.string(), base: z.string(), isNew: z.boolean() })).optional(),
  /** What the change of this run rests on. */
  evidence: z.array(evidenceSchema).default([]),
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

type StoredPublication = z.infer<typeof publicationSchema>;
export type Publication = Omit<StoredPublication, 'evidence'> & { evidence?: Evidence[] };
export type FrozenChange = NonNullable<Publication['change']>;

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

export const readPublication = ({ publication }: Run): Publication | null =>
  publicationSchema.nullable().parse(publication);

/** The newest published change. `runs`: oldest first. */
export function findLastChange(runs: Run[]): FrozenChange | undefined {
  return runs.map(findPublishedChange).findLast((change) => change !== undefined);
}

/** The checks of the newest published change before this run. */
export function findEarlierChecks(runs: readonly Run[], { number }: Run): CheckReport | undefined {
  const earlier = runs.filter((run) => run.number < number && run.commit_sha !== null);
  return earlier.map((run) => readPublication(run)?.checks).findLast((checks) => checks !== undefined);
}
/** What the published change of a job rests on, the newest last. `runs`: oldest first. */
export const listPublishedEvidence = (runs: readonly Run[]): Evidence[] =>
  runs.flatMap((run) => (run.commit_sha === null ? [] : (readPublication(run)?.evidence ?? [])));

const findPublishedChange = (run: Run): FrozenChange | undefined =>
  run.commit_sha === null ? undefined : (readPublication(run)?.change ?? undefined);
