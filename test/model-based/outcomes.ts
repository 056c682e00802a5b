import { type Publication, publicationSchema } from '../../src/runs/publication.ts';
import type { Job } from '../../src/store/tables/jobs/jobs.ts';
import type { Run, RunEnd } from '../../src/store/tables/jobs/runs.ts';
import { ourLogin } from './memory-github.ts';

/** What the agent came to. `closing`: a change that leaves nothing to merge, so that GitHub closes the pull request. */
export type Outcome = 'change' | 'closing' | 'unchanged' | 'limit';

export const isChange = (outcome: Outcome) => outcome === 'change' || outcome === 'closing';

const published: RunEnd = { outcome: 'completed', code: 'published', sentence: 'It was published.' };

const ends: Record<Outcome, { summary: string; end: RunEnd }> = {
  change: { summary: 'It is changed.', end: published },
  closing: { summary: 'It is as it was before.', end: published },
  unchanged: {
    summary: 'It is right as it is.',
    end: { outcome: 'completed', code: 'unchanged', sentence: 'Nothing needed to change.' },
  },
  limit: {
    summary: 'The run reached its limit.',
    end: { outcome: 'failed', code: 'limit_turns', sentence: 'The run reached its limit.' },
  },
};

export const isClosing = ({ summary }: Publication) => summary === ends.closing.summary;

/** What a run freezes that came to this. */
export function publicationOf({ job, run }: { job: Job; run: Run }, outcome: Outcome): Publication {
  const { summary, end } = ends[outcome];
  const { code, sentence } = end;
  const said = { end: { outcome: end.outcome, code, sentence }, summary, replies: [], limit: null };
  if (!isChange(outcome)) return publicationSchema.parse({ ...said, change: null });
  const change = {
    branch: job.branch ?? `pagewright/${job.job_id.slice(-8)}`,
    tip: null,
    sha: run.run_id.slice(-12),
    message: 'docs: a change',
    author: { name: ourLogin, email: 'bot@github.test' },
    date: new Date(),
    title: 'A change',
    description: summary,
    section: summary,
    newBody: summary,
    draft: false,
  };
  return publicationSchema.parse({ ...said, change });
}
