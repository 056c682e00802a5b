import { type AddMessageResult, maxWaitingMessages } from '../../../jobs/add-message.ts';
import type { CreateJobResult } from '../../../jobs/create-job.ts';
import { askGitHub } from '../../../projects/ask-github.ts';
import type { RateState } from '../../../store/tables/usage.ts';
import { realTiming } from '../../../timing.ts';
import { HttpProblem } from '../../problem.ts';
import type { Call } from './project-route.ts';

type Refusal = Exclude<AddMessageResult | CreateJobResult, { kind: 'accepted' }>;

/** A live run receives the waiting messages at its next turn, which rarely takes longer. */
const turnSeconds = 60;
const windowSeconds = 3600;

export function describeRefusal(refusal: Refusal): HttpProblem {
  switch (refusal.kind) {
    case 'archived':
      return new HttpProblem(
        'job-archived',
        'This job is archived, so it accepts no messages. Unarchive it, unless its pull request was merged, or create a new job.',
      );
    case 'project_gone':
      return repositoryGone();
    case 'too_many_waiting':
      return new HttpProblem(
        'too-many-waiting',
        `${maxWaitingMessages} messages are already waiting in this job, which is the limit. Try again when some are answered.`,
        { headers: { 'Retry-After': String(turnSeconds) } },
      );
    case 'budget_exhausted': {
      const { limit, used, resetsAt, resetSeconds } = refusal.budget;
      const day = resetsAt.toISOString().slice(0, 10);
      return new HttpProblem(
        'budget-exhausted',
        `This project has used ${used} of the ${limit} tokens of this month. Try again on ${day} (UTC), or ask the operator for a larger budget.`,
        { headers: { 'Retry-After': String(resetSeconds) } },
      );
    }
    case 'rate_limited': {
      const { limit, resetSeconds } = refusal.rate;
      return new HttpProblem(
        'rate-limited',
        `This project has used all ${limit} requests of this hour. Try again in ${resetSeconds} seconds.`,
        { headers: { ...formatRateLimit(refusal.rate), 'Retry-After': String(resetSeconds) } },
      );
    }
  }
}

export const repositoryGone = () =>
  new HttpProblem(
    'repository-gone',
    'Pagewright can no longer access this project’s repository. Install the GitHub App on it again.',
  );

/** The headers of https://datatracker.ietf.org/doc/html/draft-ietf-httpapi-ratelimit-headers-11; none if there is no limit. */
export function formatRateLimit(rate: RateState | null): Record<string, string> {
  if (!rate) return {};
  return {
    'RateLimit-Policy': `"project";q=${rate.limit};w=${windowSeconds}`,
    RateLimit: `"project";r=${rate.remaining};t=${rate.resetSeconds}`,
  };
}

/** Asks GitHub while the caller waits. Throws a `Problem` if GitHub does not answer in time, or refuses. */
export async function fetchInTime<Result>(
  { left }: Call,
  fetch: (signal: AbortSignal) => Promise<Result>,
): Promise<Result> {
  const signal = AbortSignal.any([left, AbortSignal.timeout(realTiming.http.githubMs)]);
  const asked = await askGitHub(() => fetch(signal));
  switch (asked.kind) {
    case 'answered':
      return asked.result;
    case 'project_gone':
      throw repositoryGone();
    case 'refused':
      throw new HttpProblem('github-refused', asked.message);
    case 'unavailable':
      throw unavailable();
  }
}

const unavailable = () =>
  new HttpProblem('unavailable', 'GitHub does not answer requests of Pagewright now. Try again in a few seconds.');
