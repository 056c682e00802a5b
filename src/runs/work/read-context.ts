import type { Job } from '../../store/tables/jobs.ts';
import { listMessages } from '../../store/tables/messages.ts';
import { listRuns, type Run } from '../../store/tables/runs.ts';
import { bound } from '../../text/bound.ts';
import type { Checkout } from '../prepare/open-checkout.ts';
import { type Change, publicationSchema } from '../publish/publication.ts';
import type { RunParts } from '../run-parts.ts';
import type { Briefing } from './prompt.ts';

/** Reads what the model is told first. */
export async function readContext(
  { database }: RunParts,
  { job, run, site }: { job: Job; run: Run; site: Checkout },
): Promise<Briefing> {
  const messages = await listMessages(database, job.job_id);
  const runs = await listRuns(database, job.job_id);
  const earlier = runs.filter(({ number }) => number < run.number);
  const publications = earlier.map(({ publication }) => publicationSchema.nullable().parse(publication));
  return {
    repository: site.repository.fullName,
    base: job.base,
    instructions: site.word.instructions,
    pullRequestTemplate: site.word.pullRequestTemplate?.text,
    earlierRuns: earlier.map(({ run_id, number, sentence }, index) => ({
      number,
      asked: messages.filter((message) => message.run_id === run_id).map(({ prompt }) => bound(prompt, 2_000)),
      summary: bound(publications[index]?.summary || sentence || '', 2_000),
    })),
    pullRequest: findLastChange(runs),
  };
}

/** The newest change that any of these runs, oldest first, has published. */
export function findLastChange(runs: Run[]): Change | undefined {
  return runs.map(readPublishedChange).findLast((change) => change !== undefined);
}

/** Of a run that ended with a commit: what was frozen but never pushed is not in the pull request. */
function readPublishedChange({ publication, commit_sha }: Run): Change | undefined {
  if (commit_sha === null || publication === null) return undefined;
  return publicationSchema.parse(publication).change ?? undefined;
}
